"""Verifies a webhook: verify.py BODY_FILE SIGNATURE. Prints ok, or fails."""

import hashlib
import hmac
import os
import sys


def verify(body: bytes, signature: str, secret: bytes) -> bool:
    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


if __name__ == "__main__":
    secret = os.environ.get("WEBHOOK_SECRET", "whsec_local_signing_secret")
    with open(sys.argv[1], "rb") as file:
        if not verify(file.read(), sys.argv[2], secret.encode()):
            sys.exit("The signature is wrong")
    print("ok")
