"""Ordinary instruction files, of the kind agents read: none holds a secret, all talk of them."""

FILES = {
    "web app": """\
# Widget shop

## Commands
- `pnpm install`, then `pnpm dev` (port 5173); the API runs with `uv run api --port 8000`.
- `DATABASE_URL=postgres://postgres:postgres@localhost:5432/shop pnpm test` runs all tests.

## Environment
Copy `.env.example` to `.env`. Never commit it.

```
NEXT_PUBLIC_SUPABASE_URL=https://abcdefghijk.supabase.co
SUPABASE_SERVICE_ROLE_KEY=<service role key from the dashboard>
STRIPE_SECRET_KEY=sk_test_...
OPENAI_API_KEY=sk-...
SMTP_PASSWORD=
JWT_SECRET=$(openssl rand -hex 32)
```

- Passwords: at least 12 characters, hashed with argon2id; `password_hash` is never serialised.
- Session token: an opaque 32 byte value, stored as sha256, rotated on login.
- Use `getServerSession()`; do not read `process.env.AUTH_SECRET` in components.
""",
    "infrastructure": """\
# Terraform layout

| module | state key | notes |
| --- | --- | --- |
| network | env/prod/network.tfstate | VPC vpc-0a1b2c3d4e5f67890 |
| data | env/prod/data.tfstate | RDS password comes from Secrets Manager |

- Images: `acme/api@sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a`.
- AWS account 123456789012, role arn:aws:iam::123456789012:role/deploy.
- Datadog: dashboards live in `datadog/`, monitors are tagged `team:core`.
- Cloudflare: zone id in `terraform.tfvars`, token from `CLOUDFLARE_API_TOKEN`.
- Sentry: project slug `acme-web`; upload source maps with `sentry-cli releases`.
- SSH: `ssh -i ~/.ssh/id_ed25519 deploy@bastion.acme.internal`.
- Vault: `vault kv get -field=password secret/app/db`.
""",
    "library": """\
# Contributing to the client

Run `make test`. The fixture user is `alice`, password `alice`.
Tokens are masked by `mask_token(token: str) -> str`; see tests/test_mask.py.

```python
client = Client(api_key=os.environ["ACME_API_KEY"], timeout=30)
auth = BasicAuth(username=settings.username, password=settings.password.get_secret_value())
headers = {"Authorization": f"Bearer {token}", "X-Request-Id": request_id}
```

- Request ids are UUIDs such as 7c9e6679-7425-40de-944b-e07fc1f90ae7.
- `secret_key: bytes` is derived with HKDF (salt 16 bytes, sha256).
- Public key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGh1c2V0aGlzYXNhbmV4YW1wbGVrZXlvbmx5MDAw me@box`
- Do not print `Authorization:` headers; redact `?token=` in URLs.
""",
    "cursor rule": """\
---
description: API conventions
globs: src/api/**/*.ts,src/server/**
alwaysApply: false
---
- All handlers take `ctx: Context`; errors are `{ code: "PASSWORD_TOO_SHORT", message: string }`.
- Login form fields: `email: string`, `password: string`, `otp?: string`.
- Use `zod`: `z.object({ password: z.string().min(12), token: z.string().uuid() })`.
- Feature flags: LaunchDarkly key `checkout-v2`; Linear tickets are `ENG-1234`.
- Heroku review apps: one per pull request, named `acme-pr-123`.
""",
}
