#!/usr/bin/env bash
# Verifies a webhook: verify.sh BODY_FILE SIGNATURE. Prints ok, or fails.
set -euo pipefail
body=$1 signature=$2 secret=${WEBHOOK_SECRET:-whsec_local_signing_secret}
expected=$(openssl dgst -sha256 -hmac "$secret" "$body" | sed 's/^.* //')
[ "$expected" = "$signature" ] && echo ok
