"""A webhook receiver that verifies signatures. It listens on port 3000: python3 receiver.py [PORT]"""

import hashlib
import hmac
import http.server
import json
import os
import queue
import re
import sys
import threading

SECRET = os.environ.get("WEBHOOK_SECRET", "whsec_local_signing_secret").encode()
MAX_EVENT_BYTES = 1_000_000


def verify(body: bytes, signature: str, secret: bytes = SECRET) -> bool:
    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


def read_event(body):
    """Returns the event name and the task id, or None if the body is not an event."""
    try:
        event = json.loads(body)
        name, task_id = event["event"], event["task"]["id"]
        return (name, task_id) if isinstance(name, str) and isinstance(task_id, str) else None
    except (ValueError, TypeError, KeyError):
        return None


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 10  # seconds without data from the client
    todo = queue.Queue()
    # In production, use a unique index in a database, in the same transaction as the queue entry.
    seen = set()
    lock = threading.Lock()

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            return self.send_error(411)
        if int(length) > MAX_EVENT_BYTES:
            return self.send_error(413)
        body = self.rfile.read(int(length))
        if not verify(body, self.headers.get("X-Service-Signature", "")):
            return self.send_error(401)
        event = read_event(body)
        if event is None:
            return self.send_error(400)
        # Respond immediately; another thread processes the event.
        with self.lock:
            if event not in self.seen:
                self.seen.add(event)
                self.todo.put(event)
        self.send_response(204)
        self.end_headers()


def work(todo):
    while True:
        print(*todo.get(), flush=True)


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    threading.Thread(target=work, args=(Receiver.todo,), daemon=True).start()
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
