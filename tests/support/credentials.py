"""Made-up credentials, put together at run time so that no scanner finds one in this source."""

from __future__ import annotations

import hashlib
import string

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"


def noise(seed: str, size: int, alphabet: str = ALNUM) -> str:
    """Return `size` characters that look random and are the same in every run."""
    out = ""
    for at in range(size):
        digest = hashlib.sha256(f"{seed}{at}".encode()).digest()
        out += alphabet[int.from_bytes(digest[:4], "big") % len(alphabet)]
    return out


def pem(kind: str = "RSA ", lines: int = 12) -> str:
    """Return a private key as a file holds it."""
    body = "\n".join(noise(f"{kind}{at}", 64) for at in range(lines))
    dashes = "-" * 5
    return f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}\n{body}\n{dashes}END {kind}PRIVATE KEY{dashes}"


# What each text holds, and the part of it that must be gone once it was redacted.
MUST_CATCH: dict[str, tuple[str, str]] = {}


def _case(name: str, secret: str, around: str = "the key is {} here") -> None:
    MUST_CATCH[name] = (around.format(secret), secret)


_case("github token", "ghp_" + noise("a", 36))
_case("github oauth", "gho_" + noise("b", 36))
_case("github server", "ghs_" + noise("c", 36))
_case("github fine-grained", "github_pat_" + noise("d", 22) + "_" + noise("e", 59))
_case("aws key", "AKIA" + noise("f", 16, string.ascii_uppercase + "234567"))
_case("aws session", "ASIA" + noise("g", 16, string.ascii_uppercase + "234567"))
_case("aws secret", noise("h", 40), "AWS_SECRET_ACCESS_KEY={}")
_case("anthropic", "sk-ant-" + "api03-" + noise("i", 93) + "AA")
_case("anthropic oauth", "sk-ant-" + "oat01-" + noise("ia", 60))
_case("anthropic short", "sk-ant-" + noise("j", 24))
_case("openai project", "sk-proj-" + noise("k", 74) + "T3BlbkFJ" + noise("k2", 74))
_case("openai", "sk-" + noise("l", 48))
_case("gitlab", "glpat-" + noise("m", 20))
_case("gitlab runner", "glrt-" + noise("n", 20))
_case("slack bot", "xoxb-" + "123456789012-123456789013-" + noise("o", 24))
_case("slack user", "xoxp-" + "1234567890-1234567891-1234567892-" + noise("p", 30))
_case(
    "slack hook",
    "hooks.slack.com/services/" + f"T{noise('q', 8)}/B{noise('r', 8)}/{noise('s', 24)}",
)
_case("google api", "AIza" + noise("t", 35))
_case("google oauth", "GOCSPX-" + noise("u", 28))
_case("stripe", "sk_live_" + noise("v", 24))
_case("npm", "npm_" + noise("w", 36))
_case("pypi", "pypi-AgEIcHlwaS5vcmc" + noise("x", 80))
_case("huggingface", "hf_" + noise("y", 34, string.ascii_letters))
_case("sendgrid", "SG." + noise("z", 22) + "." + noise("aa", 43))
_case("digitalocean", "dop_v1_" + noise("ab", 64, HEX))
_case("tailscale", "tskey-auth-" + noise("ac", 12) + "-" + noise("ad", 32))
_case("vault", "hvs." + noise("ae", 95))
_case("age", "AGE-SECRET-KEY-1" + noise("af", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"))
_case("jwt", "eyJ" + noise("ag", 33) + ".eyJ" + noise("ah", 60) + "." + noise("ai", 43))
_case("terraform", noise("aj", 14) + ".atlasv1." + noise("ak", 67))
_case("shopify", "shpat_" + noise("al", 32, HEX))
_case("databricks", "dapi" + noise("am", 32, HEX))
_case("telegram", "123456789:AA" + noise("an", 33))
_case("grafana", "glsa_" + noise("ao", 32) + "_" + noise("ap", 8, HEX))
_case("datadog", noise("aq", 40, LOWER), "datadog_api_key: {}")
_case("cloudflare", noise("ar", 40), "CLOUDFLARE_TOKEN = '{}'")
_case("twilio", "SK" + noise("as", 32, HEX))
_case("heroku", "01234567-89ab-4def-8123-456789abcdef", "heroku key: {}")
_case("mailchimp", noise("at", 32, HEX) + "-us12", "mailchimp: {}")
_case("rsa key", pem())
_case("openssh key", pem("OPENSSH "))
_case("pkcs8 key", pem(""))
_case("key on one line", pem("EC ", 3).replace("\n", "\\n"), 'key = "{}"')
_case("key without its end", pem("DSA ").rsplit("\n", 1)[0])
_case("url password", "p4ss-w0rd", "https://alice:{}@git.example.com/repo.git")
_case("url password, one letter", "p", "clone https://u:{}@host.test/x")
_case("database url", "s3cr3tpw", "DATABASE_URL=postgres://app:{}@db.internal:5432/app")
_case("redis url without user", "s3cr3tpw", "redis://:{}@cache:6379/0")
_case("url token", noise("au", 40), "https://{}@git.example.com/repo.git")
_case("password", "hunter2!", "password: {}")
_case("password is", "tr0ub4dor", "The password is {} for staging.")
_case("password quoted", "Xk9#mq2L", 'password = "{}"')
_case("password in code span", "Xk9mq2Lp", "**Password:** `{}`")
_case("password in json", "Xk9mq2Lp", '{{"password": "{}"}}')
_case("shell variable", "swordfish", "export DB_PASSWORD={}")
_case("yaml variable", "sw0rdfish", "postgres_password: {}")
_case("quoted shell variable", "swordfish9", "MYSQL_ROOT_PASSWORD='{}'")
_case("api key variable", noise("av", 32), "SERVICE_API_KEY={}")
_case("bearer", noise("aw", 40), 'curl -H "Authorization: Bearer {}"')

MUST_SURVIVE = (
    "No Firebase API key is needed.",
    "Read it from import.meta.env.VITE_API_KEY, never from a file.",
    "VITE_API_KEY=import.meta.env.X",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it",
    "sentry release commit: 3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed",
    "id 01890a5d-ac96-774b-bcce-b302099a8057",
    "heroku app uuid: 01890a5d-ac96-774b-bcce-b302099a8057",
    "password: string",
    "password: required, at least 12 characters",
    "Password: bcrypt, cost 12",
    'password: "your-password-here"',
    "password = os.environ['DB_PASSWORD']",
    "password = getpass.getpass()",
    "password: ${DB_PASSWORD}",
    "password: {{ vault_password }}",
    "password: <password>",
    "password=config.database.password2",
    "The password is stored in the vault; the password is never logged.",
    "forgot-password: requires the mail address",
    "DB_PASSWORD=changeme",
    "DB_PASSWORD=$(pass show db)",
    "DB_PASSWORD=<your password>",
    "POSTGRES_PASSWORD=postgres",
    "DATABASE_URL=postgres://user:password@localhost:5432/app",
    "postgresql://postgres:postgres@localhost/test",
    "https://user:pass@example.com",
    "https://${USER}:${TOKEN}@github.com/acme/app",
    "https://<token>@github.com/acme/app",
    "git clone ssh://git@github.com/acme/app.git, or git@github.com:acme/app.git",
    "mailto:someone@example.com and http://localhost:8080/@scope/package@1.2.3",
    "see https://example.com/a:b@c",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "tokens look like ghp_… or ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "AKIA" + "IOSFODNN7EXAMPLE is the key of the documentation",
    "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx, or sk-... in .env",
    "a key begins with -----BEGIN RSA PRIVATE KEY----- and is never committed",
    "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKj34GkxFhD90vcNLYLInFEX\n",
    "pre_tokenizer: cl100k-base-2024-05-13-v2",
    "max_tokens: 4096, token budget = 200000",
    "the cache key is `user:1234:profile:v2`",
    "task-scheduler-with-a-long-hyphenated-name-and-numbers-123456",
    "npm_config_registry=internal and npm_package_version",
    "primary_key: id, foreign_key: account_id, api_key: str | None",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "linear: the solver is O(n) ; travis: see .travis.yml ; dropbox: synchronization",
)
