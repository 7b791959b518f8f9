"""Run by `tasksim exec`, which says where the service is, and what the client did wrong."""

import email.message
import email.utils
import os
import pathlib
import tempfile
import time
import unittest
import urllib.error

import client

BASE = os.environ["TASKSIM_URL"]


def refusal(code, retry_after=None):
    headers = email.message.Message()
    if retry_after is not None:
        headers["Retry-After"] = retry_after
    return urllib.error.HTTPError("http://api.example.com", code, "", headers, None)


class Client(unittest.TestCase):
    def test_a_picture_is_made_once_and_kept(self):
        prompt = "a lighthouse at dawn"
        (url,) = client.generate(BASE, "acme/image-1", prompt=prompt)["images"]
        with tempfile.TemporaryDirectory() as folder:
            path = client.keep(url, folder)
            self.assertEqual(path.read_bytes()[1:4], b"PNG")
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [path])
        tasks = client.send(f"{BASE}/tasks?limit=100")["data"]
        self.assertEqual(len([task for task in tasks if task["input"]["prompt"] == prompt]), 1)

    def test_a_failed_task_is_reported_with_its_reason(self):
        with self.assertRaisesRegex(RuntimeError, "."):
            client.generate(BASE, "acme/image-1", prompt="a storm [[sim outcome=failed]]")


class Pauses(unittest.TestCase):
    def test_a_busy_service_says_how_long(self):
        self.assertEqual(client.pause_after(refusal(429, "7"), 0), 7)

    def test_or_until_when(self):
        date = email.utils.formatdate(time.time() + 60, usegmt=True)
        self.assertAlmostEqual(client.pause_after(refusal(503, date), 0), 60, delta=2)

    def test_pauses_grow_where_nothing_is_said(self):
        self.assertLessEqual(client.pause_after(refusal(500), 0), 1)
        self.assertGreaterEqual(client.pause_after(ConnectionResetError(), 5), 15)

    def test_a_refusal_is_final(self):
        self.assertIsNone(client.pause_after(refusal(404), 0))


if __name__ == "__main__":
    unittest.main()
