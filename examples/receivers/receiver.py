"""A webhook receiver that verifies signatures: python3 receiver.py, then listen on port 3000."""

import hashlib
import hmac
import http.server
import json
import sys

SECRET = b"whsec_local_signing_secret"


def verify(body: bytes, signature: str, secret: bytes = SECRET) -> bool:
    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not verify(body, self.headers.get("X-Service-Signature", "")):
            self.send_error(401)
            return
        try:
            event = json.loads(body)
            print(event["event"], event["task"]["id"], flush=True)
        except (ValueError, TypeError, KeyError):
            self.send_error(400)
            return
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
