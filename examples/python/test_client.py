"""Run these tests under `tasksim exec`, which provides the service and reports what the client got wrong."""

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


def rejection(code, retry_after=None):
    headers = email.message.Message()
    if retry_after is not None:
        headers["Retry-After"] = retry_after
    return urllib.error.HTTPError("http://api.example.com", code, "", headers, None)


class Client(unittest.TestCase):
    def test_an_image_is_generated_once_and_downloaded(self):
        prompt = "a lighthouse at dawn"
        (url,) = client.generate(BASE, "acme/image-1", prompt=prompt)["images"]
        with tempfile.TemporaryDirectory() as folder:
            path = client.download(url, folder)
            self.assertEqual(path.read_bytes()[1:4], b"PNG")
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [path])
        tasks = client.send(f"{BASE}/tasks?limit=100")["data"]
        self.assertEqual(len([task for task in tasks if task["input"]["prompt"] == prompt]), 1)

    def test_a_failed_task_raises_an_error_with_its_reason(self):
        with self.assertRaisesRegex(RuntimeError, "."):
            client.generate(BASE, "acme/image-1", prompt="a storm [[sim outcome=failed]]")


class RetryDelay(unittest.TestCase):
    def test_it_follows_retry_after_in_seconds(self):
        self.assertEqual(client.retry_delay(rejection(429, "7"), 0), 7)

    def test_it_follows_retry_after_as_a_date(self):
        date = email.utils.formatdate(time.time() + 60, usegmt=True)
        self.assertAlmostEqual(client.retry_delay(rejection(503, date), 0), 60, delta=2)

    def test_it_grows_without_retry_after(self):
        self.assertLessEqual(client.retry_delay(rejection(500), 0), 1)
        self.assertGreaterEqual(client.retry_delay(ConnectionResetError(), 5), 15)

    def test_a_rejection_is_not_retried(self):
        self.assertIsNone(client.retry_delay(rejection(404), 0))


if __name__ == "__main__":
    unittest.main()
