"""Tests the receiver and the shell script: python3 -m unittest"""

import hashlib
import hmac
import http.client
import http.server
import pathlib
import subprocess
import tempfile
import threading
import unittest

import receiver

EVENT = b'{"event":"task.succeeded","task":{"id":"task_1","status":"succeeded"}}'


def sign(body, secret=receiver.SECRET):
    return hmac.new(secret, body, hashlib.sha256).hexdigest()


class Receiver(unittest.TestCase):
    def setUp(self):
        receiver.Receiver.seen.clear()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), receiver.Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self):
        while not receiver.Receiver.todo.empty():
            receiver.Receiver.todo.get()
        self.server.shutdown()
        self.server.server_close()

    def post(self, body, signature=None, **headers):
        connection = http.client.HTTPConnection(*self.server.server_address, timeout=5)
        headers["X-Service-Signature"] = sign(body) if signature is None else signature
        connection.request("POST", "/", body, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def test_a_duplicate_event_is_processed_once(self):
        self.assertEqual([self.post(EVENT), self.post(EVENT)], [204, 204])
        self.assertEqual(receiver.Receiver.todo.get(timeout=5), ("task.succeeded", "task_1"))
        self.assertTrue(receiver.Receiver.todo.empty())

    def test_a_forged_event_is_rejected(self):
        for signature in ("", "f" * 64, sign(EVENT)[:-1], sign(EVENT, b"other"), sign(EVENT + b" ")):
            self.assertEqual(self.post(EVENT, signature), 401, signature)
        self.assertTrue(receiver.Receiver.todo.empty())

    def test_a_body_that_is_not_an_event_is_rejected(self):
        for body in (b"", b"null", b"[]", b'{"event": 1, "task": {"id": "task_1"}}', b"\xff"):
            self.assertEqual(self.post(body), 400, body)

    def test_an_oversized_event_is_rejected_without_reading_it(self):
        self.assertEqual(self.post(b"", **{"Content-Length": "999999999"}), 413)
        self.assertEqual(self.post(b"", **{"Content-Length": "many"}), 411)


class Shell(unittest.TestCase):
    script = pathlib.Path(__file__).with_name("verify.sh")

    def verify(self, body, signature):
        with tempfile.NamedTemporaryFile() as file:
            file.write(body)
            file.flush()
            return subprocess.run([self.script, file.name, signature], capture_output=True).returncode

    def test_the_script_accepts_valid_signatures_only(self):
        self.assertEqual(self.verify(EVENT, sign(EVENT)), 0)
        self.assertNotEqual(self.verify(EVENT + b" ", sign(EVENT)), 0)
        self.assertNotEqual(self.verify(EVENT, ""), 0)


if __name__ == "__main__":
    unittest.main()
