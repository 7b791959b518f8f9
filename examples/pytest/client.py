"""Generates an image and downloads it, using only the standard library: python3 client.py [BASE_URL [FOLDER]]"""

import email.utils
import http.client
import json
import os
import pathlib
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

KEY = os.environ.get("TASKSIM_API_KEY", "sk_live_local")
HEADERS = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
POLL_INTERVAL = 2
TASK_TIMEOUT = 600


def send(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=HEADERS)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def retry_delay(error, retries):
    """Returns the seconds to wait before the next attempt, or None if a retry is pointless."""
    delay = min(2**retries, 30) * random.uniform(0.5, 1)
    if not isinstance(error, urllib.error.HTTPError):
        return delay  # no connection, a timeout or an incomplete response
    if error.code not in (408, 429) and error.code < 500:
        return None
    retry_after = error.headers.get("Retry-After", "")
    if retry_after.isdigit():
        return float(retry_after)
    date = email.utils.parsedate_tz(retry_after)
    return max(0, email.utils.mktime_tz(date) - time.time()) if date else delay


def with_retries(attempt, *arguments):
    for retries in range(8):
        try:
            return attempt(*arguments)
        except (OSError, ValueError, http.client.HTTPException) as error:
            delay = retry_delay(error, retries)
            if delay is None or retries == 7:
                raise
            time.sleep(delay)


def create(base, request):
    """Creates exactly one task: if the response is lost, checks the list before it sends the request again."""
    known = {task["id"] for task in with_retries(send, f"{base}/tasks?limit=100")["data"]}

    def attempt():
        for task in send(f"{base}/tasks?limit=100")["data"] if attempts else []:
            if task["id"] not in known and (task["model"], task["input"]) == (request["model"], request["input"]):
                return task
        attempts.append(request)
        return send(f"{base}/tasks", request)

    attempts = []
    return with_retries(attempt)


def poll(url):
    deadline = time.monotonic() + TASK_TIMEOUT
    while time.monotonic() < deadline:
        task = with_retries(send, url)
        if task["status"] not in ("queued", "processing"):
            return task
        time.sleep(POLL_INTERVAL)
    send(f"{url}/cancel", {})
    raise TimeoutError(f"{url} did not end in time and was canceled")


def generate(base, model, **parameters):
    task = create(base, {"model": model, "input": parameters})
    task = poll(f"{base}/tasks/{task['id']}")
    if task["status"] != "succeeded":
        raise RuntimeError((task.get("error") or {}).get("message", task["status"]))
    return task["output"]


def fetch(url):
    # Never send the API key to the file host.
    with urllib.request.urlopen(url, timeout=30) as file:
        return file.read()


def download(url, folder):
    """Downloads a file. Writes a temporary file first, so that an incomplete file never remains."""
    path = pathlib.Path(folder, pathlib.PurePosixPath(urllib.parse.urlsplit(url).path).name)
    part = path.with_name(path.name + ".part")
    part.write_bytes(with_retries(fetch, url))
    return part.replace(path)


if __name__ == "__main__":
    base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010/api/v1"
    folder = sys.argv[2] if len(sys.argv) > 2 else "."
    for url in generate(base, "acme/image-1", prompt="a lighthouse at dawn")["images"]:
        path = download(url, folder)
        print(path, path.stat().st_size, "bytes")
