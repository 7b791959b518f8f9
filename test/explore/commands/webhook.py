"""Waits for the signed webhook of a task, and polls after a silence."""

import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from service import SPEED, collect, create, main, order_of, wait

SECRET = os.environ["TASKSIM_WEBHOOK_SECRET"].encode()
SILENCE = 120
ended = {}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        genuine = hmac.compare_digest(expected.encode(), (self.headers.get("X-Service-Signature") or "").encode())
        if genuine:
            task = json.loads(body)["task"]
            ended[task["id"]] = task
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


def run():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    task_id = create(order_of("waves", webhook_url=f"http://127.0.0.1:{server.server_port}/"), set())
    end = time.monotonic() + SILENCE / SPEED
    while task_id not in ended and time.monotonic() < end:
        time.sleep(0.02)
    task = ended.get(task_id)
    whole = task is not None and task.get("status") in ("succeeded", "failed", "canceled") and "output" in task
    collect(task if whole else wait(task_id))


main(run)
