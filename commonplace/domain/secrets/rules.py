"""The shapes of credentials, as data: each a name, the words that must be there, and a pattern.

Source: the token formats the services publish, checked against the shapes in the default rule set
of gitleaks (MIT). Left out: rules for any `key = value` (on 191 public instruction files such
patterns hit 60 times, none a secret), and identifiers that are public by design (client ids).
Every pattern is linear: a fixed beginning, then classes that cannot overlap. A look back stands
after the beginning where that is short and common: `re` searches for a literal ten times faster.
"""

from __future__ import annotations

from dataclasses import dataclass

ALNUM = "[A-Za-z0-9]"
TOKEN = "[A-Za-z0-9_-]"  # noqa: S105 - a character class
HEX = "[a-fA-F0-9]"
UUID = f"{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape; `entropy` is the least Shannon entropy of a hit, in bits a character.

    `words` are lower case; a text that holds none of them is not searched. Where the pattern has a
    group, that is the secret; else the whole match is.
    """

    name: str
    words: tuple[str, ...]
    pattern: str
    entropy: float = 0.0


# Tokens that say by their beginning what they are.
_MARKED: tuple[tuple[str, str, str, float], ...] = (
    ("1password-secret-key", "a3-", r"\bA3-[A-Z0-9]{6}-[A-Z0-9]{5,6}-?[A-Z0-9-]{15,29}\b", 3.5),
    ("1password-service-account", "ops_eyj", r"ops_eyJ[A-Za-z0-9+/]{100,}={0,3}", 4.0),
    ("adobe-client-secret", "p8e-", r"\bp8e-[A-Za-z0-9]{32}\b", 2.0),
    ("age-secret-key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,58}", 0.0),
    ("airtable-token", "pat", rf"\bpat{ALNUM}{{14}}\.{HEX}{{64}}\b", 3.0),
    ("alibaba-access-key", "ltai", rf"\bLTAI{ALNUM}{{12,26}}\b", 3.0),
    ("anthropic-api-key", "sk-ant-", rf"sk-ant-{TOKEN}{{16,}}", 3.0),
    ("artifactory-api-key", "akcp", rf"\bAKCp{ALNUM}{{60,}}", 4.0),
    ("artifactory-reference-token", "cmvmd", rf"\bcmVmd{ALNUM}{{59}}\b", 4.0),
    ("atlassian-api-token", "atatt3", r"\bATATT3[A-Za-z0-9_\-=]{40,}", 3.5),
    (
        "aws-access-key",
        "akia asia abia acca a3t",
        r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
        3.0,
    ),
    ("aws-bedrock-api-key", "absk", r"\bABSK[A-Za-z0-9+/]{80,}={0,2}", 3.0),
    ("azure-client-secret", "q~", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}", 3.0),
    ("clickhouse-api-secret", "4b1d", rf"\b4b1d{ALNUM}{{38}}\b", 3.0),
    ("clojars-api-token", "clojars_", r"(?i:clojars_[a-z0-9]{60})", 2.0),
    ("cloudflare-origin-ca-key", "v1.0-", rf"\bv1\.0-{HEX}{{24}}-{HEX}{{146}}\b", 2.0),
    ("databricks-api-token", "dapi", r"\bdapi[a-f0-9]{32}(?:-\d)?\b", 3.0),
    ("defined-networking-token", "dnkey-", r"\bdnkey-[A-Za-z0-9=_]{26}-[A-Za-z0-9=_]{52}", 3.0),
    ("digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", r"(?i:\bdo[opr]_v1_[a-f0-9]{64})", 3.0),
    ("docker-token", "dckr_", rf"\bdckr_(?:pat|oat)_{TOKEN}{{20,}}", 3.0),
    ("doppler-api-token", "dp.", r"\bdp\.(?:pt|st|ct|scim|audit)\.[\w.-]{40,}", 3.0),
    ("duffel-api-token", "duffel_", r"duffel_(?:test|live)_[A-Za-z0-9_\-=]{43}", 2.0),
    ("dynatrace-api-token", "dt0c01.", rf"dt0c01\.{ALNUM}{{24}}\.{ALNUM}{{64}}", 4.0),
    ("easypost-api-token", "ezak eztk", rf"\bEZ[AT]K{ALNUM}{{54}}\b", 2.0),
    ("facebook-page-token", "eaam eaac", rf"\bEAA[MC]{ALNUM}{{100,}}", 4.0),
    ("figma-token", "figd_", rf"\bfigd_{TOKEN}{{36,}}", 3.0),
    ("flutterwave-key", "flwseck", r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,32}(?:-X)?", 2.0),
    ("flyio-access-token", "fo1_ fm1a_ fm1r_ fm2_", r"\bf(?:o1|m1[ar]|m2)_[\w+/-]{43,}={0,3}", 4.0),
    ("frameio-api-token", "fio-u-", r"fio-u-[A-Za-z0-9\-_=]{64}", 2.0),
    ("gcp-api-key", "aiza", rf"\bAIza{TOKEN}{{35}}(?!{TOKEN})", 3.5),
    ("gcp-oauth-client-secret", "gocspx-", rf"GOCSPX-{TOKEN}{{28}}", 3.0),
    ("gcp-oauth-token", "ya29.", r"\bya29\.[\w.-]{30,}", 3.5),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"gh[pousr]_{ALNUM}{{30,}}", 3.0),
    ("github-fine-grained-token", "github_pat_", r"github_pat_\w{36,}", 3.0),
    (
        "gitlab-token",
        "glpat- gldt- glft- glimt- glrt- glsoat- gloas- glagent- glptt- glcbt- glffct-",
        r"gl(?:pat|dt|ft|imt|rt|soat|oas|agent|ptt|cbt|ffct)-[\w.-]{20,}",
        3.0,
    ),
    ("gitlab-runner-registration", "gr1348941", r"GR1348941[\w-]{20}", 3.0),
    ("gitlab-session-cookie", "_gitlab_session=", r"_gitlab_session=[0-9a-z]{32}", 3.0),
    ("grafana-api-key", "eyjrijoi", rf"\beyJrIjoi{ALNUM}{{70,}}={{0,3}}", 3.0),
    ("grafana-cloud-token", "glc_", r"\bglc_[A-Za-z0-9+/]{32,}={0,3}", 3.0),
    ("grafana-service-account", "glsa_", rf"\bglsa_{ALNUM}{{32}}_{HEX}{{8}}", 3.0),
    ("groq-api-key", "gsk_", rf"\bgsk_{ALNUM}{{40,}}", 3.0),
    (
        "harness-api-key",
        "pat. sat.",
        rf"\b[ps]at\.{TOKEN}{{22}}\.{ALNUM}{{24}}\.{ALNUM}{{20}}\b",
        3.0,
    ),
    ("hashicorp-terraform-token", ".atlasv1.", rf"{ALNUM}{{14}}\.atlasv1\.[\w=-]{{60,70}}", 3.5),
    ("heroku-api-key", "hrku-aa", rf"\bHRKU-AA{TOKEN}{{50,}}", 4.0),
    ("huggingface-token", "hf_ api_org_", rf"\b(?:hf|api_org)_{ALNUM}{{34,}}\b", 3.0),
    ("infracost-api-token", "ico-", rf"\bico-{ALNUM}{{32}}\b", 3.0),
    ("intra42-client-secret", "s-s4t2", rf"\bs-s4t2(?:ud|af)-{HEX}{{64}}", 3.0),
    (
        "json-web-token",
        "eyj",
        rf"(?<![A-Za-z0-9])eyJ{TOKEN}{{14,}}\.eyJ{TOKEN}{{14,}}\.{TOKEN}{{10,}}={{0,2}}",
        3.0,
    ),
    ("linear-api-key", "lin_api_", rf"lin_api_{ALNUM}{{40}}", 2.0),
    ("maxmind-license-key", "_mmk", rf"\b{ALNUM}{{6}}_{ALNUM}{{29}}_mmk\b", 4.0),
    ("mailgun-key", "key- pubkey-", r"\b(?:pub)?key-[a-f0-9]{32}\b", 3.0),
    ("mapbox-secret-token", "sk.eyj", rf"\bsk\.eyJ{TOKEN}{{40,}}\.{TOKEN}{{20,}}", 3.0),
    (
        "microsoft-teams-webhook",
        "webhook.office.com",
        r"https://[a-z0-9-]+\.webhook\.office\.com/webhookb2/[\w@/-]{60,}",
        0.0,
    ),
    ("new-relic-key", "nrak- nrii- nrjs-", r"\bNR(?:AK|II|JS)-[A-Za-z0-9-]{19,32}", 2.0),
    ("notion-api-token", "ntn_", rf"ntn_{ALNUM}{{40,}}", 3.5),
    ("notion-integration-token", "secret_", rf"secret_{ALNUM}{{43}}\b", 3.5),
    ("npm-access-token", "npm_", rf"\bnpm_{ALNUM}{{36}}\b", 3.0),
    ("octopus-deploy-key", "api-", r"\bAPI-[A-Z0-9]{26}\b", 3.0),
    (
        "openai-api-key",
        "sk-",
        rf"sk-(?<![A-Za-z0-9_-]sk-)(?:(?:proj|svcacct|admin)-{TOKEN}{{32,}}|{ALNUM}{{32,}})",
        3.5,
    ),
    ("openrouter-api-key", "sk-or-", rf"\bsk-or-(?:v\d-)?{ALNUM}{{32,}}", 3.0),
    ("openshift-user-token", "sha256~", rf"\bsha256~{TOKEN}{{43}}(?!{TOKEN})", 3.5),
    ("perplexity-api-key", "pplx-", rf"\bpplx-{ALNUM}{{40,}}", 3.5),
    ("plaid-access-token", "access-", rf"\baccess-(?:sandbox|development|production)-{UUID}", 3.0),
    ("planetscale-token", "pscale_", r"\bpscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}", 3.0),
    ("postman-api-token", "pmak-", rf"\bPMAK-{HEX}{{24}}-{HEX}{{34}}", 3.0),
    ("prefect-api-token", "pnu_", rf"\bpnu_{ALNUM}{{36}}\b", 3.0),
    ("pulumi-api-token", "pul-", r"\bpul-[a-f0-9]{40}\b", 3.0),
    ("pypi-upload-token", "pypi-ageichlwas5vcmc", rf"pypi-AgEIcHlwaS5vcmc{TOKEN}{{50,}}", 3.0),
    ("readme-api-token", "rdme_", r"\brdme_[a-z0-9]{70}", 2.0),
    ("replicate-api-token", "r8_", rf"\br8_{ALNUM}{{37}}\b", 3.0),
    ("rubygems-api-token", "rubygems_", rf"\brubygems_{HEX}{{48}}", 2.0),
    ("scalingo-api-token", "tk-us-", rf"\btk-us-{TOKEN}{{48}}", 2.0),
    ("sendgrid-api-token", "sg.", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9=_-]{30,}", 3.0),
    ("sendinblue-api-token", "xkeysib-", rf"\bxkeysib-{HEX}{{64}}-{ALNUM}{{16}}", 2.0),
    ("sentry-token", "sntryu_ sntrys_", r"\bsntry(?:u_[a-f0-9]{64}|s_eyJ[\w+/=-]{60,})", 3.5),
    ("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", rf"\bsm_[aps]at_{ALNUM}{{16,}}", 3.0),
    ("shippo-api-token", "shippo_", rf"\bshippo_(?:live|test)_{HEX}{{40}}", 2.0),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", rf"shp(?:at|ca|pa|ss)_{HEX}{{32}}", 2.0),
    (
        "sidekiq-url",
        "contribsys.com",
        rf"https?://({HEX}{{8}}:{HEX}{{8}})@(?:gems|enterprise)\.contribsys\.com",
        0.0,
    ),
    ("slack-app-token", "xapp-", r"(?i:xapp-\d-[a-z0-9]+-\d+-[a-z0-9]+)", 2.0),
    ("slack-token", "xoxb xoxp xoxe xoxa xoxr xoxo xoxs", r"xox[abeoprs][-.][\w.-]{16,}", 3.0),
    (
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,}",
        3.0,
    ),
    ("sourcegraph-token", "sgp_", rf"\bsgp_(?:(?:{HEX}{{16}}|local)_)?{HEX}{{40}}\b", 3.0),
    ("square-access-token", "sq0atp- eaaa", rf"\b(?:EAAA|sq0atp-){TOKEN}{{22,60}}\b", 3.0),
    (
        "stripe-key",
        "sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_ whsec_",
        r"\b(?:[sr]k_(?:test|live|prod)|whsec)_[A-Za-z0-9]{10,}",
        3.0,
    ),
    ("supabase-token", "sbp_ sb_secret_", r"\b(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})", 3.0),
    ("tailscale-key", "tskey-", rf"\btskey-[a-z]+-{TOKEN}{{10,}}", 3.0),
    ("telegram-bot-token", ":aa", rf"\b\d{{8,12}}:AA{TOKEN}{{32,34}}(?!{TOKEN})", 3.0),
    ("twilio-api-key", "sk", r"SK(?<!\wSK)[0-9a-f]{32}\b", 3.0),
    ("typeform-api-token", "tfp_", r"\btfp_[\w.=-]{40,}", 3.0),
    ("vault-token", "hvs. hvb. hvr.", r"\bhv[sbr]\.[\w-]{24,}", 3.5),
    ("vercel-blob-token", "vercel_blob_rw_", r"vercel_blob_rw_\w{30,}", 3.0),
    ("xai-api-key", "xai-", rf"\bxai-{ALNUM}{{60,}}", 3.5),
    ("yandex-token", "aqvn", rf"\bAQVN{TOKEN}{{35,38}}\b", 3.5),
)

# Values that only their neighbour gives away: the word, then `=` or `:`, then the value's shape.
_NEAR: tuple[tuple[str, str], ...] = (
    ("adafruit", r"[\w-]{32}"),
    ("adobe", r"[a-f0-9]{32}"),
    ("airtable", r"key[a-z0-9]{14}"),
    ("algolia", r"[a-z0-9]{32}"),
    ("alibaba", r"[a-z0-9]{30}"),
    ("asana", r"[a-z0-9]{32}"),
    ("atlassian", r"[a-z0-9]{24}"),
    ("confluence", r"[a-z0-9]{24}"),
    ("jira", r"[a-z0-9]{24}"),
    ("beamer", r"b_[a-z0-9=_-]{44}"),
    ("bitbucket", r"[a-z0-9]{32}|[a-z0-9=_-]{64}"),
    ("bittrex", r"[a-z0-9]{32}"),
    ("cloudflare", r"[a-z0-9_-]{40}|[a-f0-9]{37}"),
    ("codecov", r"[a-z0-9]{32}"),
    ("cohere", r"[a-z0-9]{40}"),
    ("coinbase", r"[a-z0-9_-]{64}"),
    ("confluent", r"[a-z0-9]{16}|[a-z0-9]{64}"),
    ("contentful", r"[a-z0-9=_-]{43}"),
    ("datadog", r"[a-z0-9]{40}|[a-f0-9]{32}"),
    ("deepseek", r"sk-[a-f0-9]{32}"),
    ("discord", r"[a-f0-9]{64}|[a-z0-9_-]{24}\.[\w-]{6}\.[\w-]{27,38}|[a-z0-9=_-]{32}"),
    ("droneci", r"[a-z0-9]{32}"),
    ("dropbox", r"[a-z0-9]{15}|sl\.[a-z0-9=_-]{130,}|[a-z0-9]{11}AAAAAAAAAA[\w=-]{43}"),
    ("etsy", r"[a-z0-9]{24}"),
    ("facebook", r"[a-f0-9]{32}"),
    ("fastly", r"[a-z0-9=_-]{32}"),
    ("finicity", r"[a-f0-9]{32}|[a-z0-9]{20}"),
    ("finnhub", r"[a-z0-9]{20}"),
    ("flickr", r"[a-z0-9]{32}"),
    ("freshbooks", r"[a-z0-9]{64}"),
    ("gitter", r"[a-z0-9_-]{40}"),
    ("gocardless", r"live_[a-z0-9=_-]{40}"),
    ("heroku", UUID),
    ("hubspot", UUID),
    ("intercom", r"[a-z0-9=_-]{60}"),
    ("jfrog", r"[a-z0-9]{73}|[a-z0-9]{64}"),
    ("artifactory", r"[a-z0-9]{73}|[a-z0-9]{64}"),
    ("kraken", r"[a-z0-9/=_+-]{80,90}"),
    ("kucoin", rf"[a-f0-9]{{24}}|{UUID}"),
    ("launchdarkly", rf"[a-z0-9=_-]{{40}}|(?:sdk|api|mob)-{UUID}"),
    ("linear", r"[a-f0-9]{32}"),
    ("linkedin", r"[a-z0-9]{16}"),
    ("lob", r"(?:live|test)_[a-f0-9]{35}"),
    ("mailchimp", r"[a-f0-9]{32}-us\d\d?"),
    ("mailgun", r"[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}"),
    ("mattermost", r"[a-z0-9]{26}"),
    ("meraki", r"[a-f0-9]{40}"),
    ("messagebird", r"[a-z0-9]{25}"),
    ("netlify", r"[a-z0-9=_-]{40,46}"),
    ("newrelic", r"[a-z0-9]{64}"),
    ("nytimes", r"[a-z0-9=_-]{32}"),
    ("okta", r"00[\w=-]{40}"),
    ("pinecone", UUID),
    ("plaid", r"[a-z0-9]{30}"),
    ("privateai", r"[a-z0-9]{32}"),
    ("rapidapi", r"[a-z0-9_-]{50}"),
    ("sendbird", rf"{UUID}|[a-f0-9]{{40}}"),
    ("sentry", r"[a-f0-9]{64}"),
    ("snyk", UUID),
    ("sonar", r"(?:sq[pua]_)?[a-z0-9=_-]{40}"),
    ("squarespace", UUID),
    ("sumologic", r"[a-z0-9]{64}"),
    ("telegram", r"\d{5,16}:A[\w-]{34}"),
    ("travis", r"[a-z0-9]{22}"),
    ("twitch", r"[a-z0-9]{30}"),
    ("twitter", r"[a-z0-9]{50}|[a-z0-9]{45}|\d{15,25}-[a-z0-9]{20,40}|A{22}[a-z0-9%]{80,100}"),
    ("yandex", r"t1\.[\w-]+={0,2}\.[\w-]{86}={0,2}|YC[\w-]{38}"),
    ("zendesk", r"[a-z0-9]{40}"),
)
NEAR_END = "-credential"
# A digest, a revision or a public identifier beside a service's name is no credential of it.
_PUBLIC = r"(?:sha|md5|commit|digest|hash|checksum|rev|uuid|etag|version|trace|\bid\b|_id\b)"


def _near(word: str, shape: str) -> Rule:
    pattern = (
        rf"(?i:{word}(?![ \t\w.-]{{0,20}}?{_PUBLIC})[ \t\w.-]{{0,20}}['\"`]?\s{{0,3}}"
        rf"(?:=>|:=|[=:|])[\s'\"`=]{{0,5}}({shape})(?![\w/+=-]))"
    )
    return Rule(word + NEAR_END, (word,), pattern, 2.5)


def _marked(name: str, words: str, pattern: str, entropy: float) -> Rule:
    return Rule(name, tuple(words.split()), pattern, entropy)


MARKED: tuple[Rule, ...] = tuple(_marked(*row) for row in _MARKED)
NEAR: tuple[Rule, ...] = tuple(_near(*row) for row in _NEAR)
