"""Makes a picture and keeps it, with the standard library alone: python3 client.py [BASE_URL [FOLDER]]"""

import email.utils
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
BETWEEN_POLLS = 2
LONGEST_WAIT = 600


def send(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=HEADERS)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def pause_after(error, tries):
    """How long to wait before the next try, or None where the next try would end like this one."""
    pause = min(2**tries, 30) * random.uniform(0.5, 1)
    if not isinstance(error, urllib.error.HTTPError):
        return pause  # no connection, no answer in time, or half of one
    if error.code not in (408, 429) and error.code < 500:
        return None
    told = error.headers.get("Retry-After", "")
    if told.isdigit():
        return float(told)
    date = email.utils.parsedate_tz(told)
    return max(0, email.utils.mktime_tz(date) - time.time()) if date else pause


def persistently(attempt, *arguments):
    for tries in range(8):
        try:
            return attempt(*arguments)
        except (OSError, ValueError) as error:
            pause = pause_after(error, tries)
            if pause is None or tries == 7:
                raise
            time.sleep(pause)


def create(base, order):
    """Creates one task, also where the answer is lost: the list says whether there is one already."""
    known = {task["id"] for task in persistently(send, f"{base}/tasks?limit=100")["data"]}

    def attempt():
        for task in send(f"{base}/tasks?limit=100")["data"] if tried else []:
            if task["id"] not in known and (task["model"], task["input"]) == (order["model"], order["input"]):
                return task
        tried.append(True)
        return send(f"{base}/tasks", order)

    tried = []
    return persistently(attempt)


def poll(url):
    deadline = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < deadline:
        task = persistently(send, url)
        if task["status"] not in ("queued", "processing"):
            return task
        time.sleep(BETWEEN_POLLS)
    send(f"{url}/cancel", {})
    raise TimeoutError(f"{url} has not ended, and was canceled")


def generate(base, model, **parameters):
    task = create(base, {"model": model, "input": parameters})
    task = poll(f"{base}/tasks/{task['id']}")
    if task["status"] != "succeeded":
        raise RuntimeError((task.get("error") or {}).get("message", task["status"]))
    return task["output"]


def fetch(url):
    # The file host is somebody else's: it gets no API key.
    with urllib.request.urlopen(url, timeout=300) as file:
        return file.read()


def keep(url, folder):
    """Fetches a file while its URL is valid, into one that is whole or not there."""
    path = pathlib.Path(folder, pathlib.PurePosixPath(urllib.parse.urlsplit(url).path).name)
    part = path.with_name(path.name + ".part")
    part.write_bytes(persistently(fetch, url))
    return part.replace(path)


if __name__ == "__main__":
    base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010/api/v1"
    folder = sys.argv[2] if len(sys.argv) > 2 else "."
    for url in generate(base, "acme/image-1", prompt="a lighthouse at dawn")["images"]:
        path = keep(url, folder)
        print(path, path.stat().st_size, "bytes")
