"""A client of the tasks API with time limits and retries, from the standard library alone."""

import json
import os
import time
import urllib.error
import urllib.request
from datetime import datetime

URL = os.environ["TASKSIM_URL"]
KEY = os.environ["TASKSIM_API_KEY"]
# The simulator's clock runs this many times faster than the real one.
SPEED = 20
TRIES = 8
TIMEOUT = 60
DEADLINE = 600


class Failure(Exception):
    pass


def sleep(seconds):
    time.sleep(seconds / SPEED)


def once(method, url, body=None, key=True):
    """Returns the status, the body and the wait that the answer asks for; the status is 0 without an answer."""
    headers = {"Authorization": f"Bearer {KEY}"} if key else {}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT / SPEED) as response:
            return response.status, response.read(), 0
    except urllib.error.HTTPError as error:
        with error:
            return error.code, None, float(error.headers.get("Retry-After") or 0)
    except Exception:
        return 0, None, 0


def recover(status, wait, attempt):
    passes = status in (0, 408, 429) or status >= 500 or 200 <= status < 300
    if not passes:
        raise Failure(f"The service rejects the request with {status}.")
    if attempt >= TRIES:
        raise Failure(f"No usable answer after {attempt} attempts.")
    sleep(max(wait, min(30, 2 ** (attempt - 1))))


def read(body):
    try:
        value = json.loads(body or b"")
        return value if isinstance(value, dict) else None
    except ValueError:
        return None


def insist(method, url, body=None):
    for attempt in range(1, TRIES + 1):
        status, answer, wait = once(method, url, body)
        value = read(answer)
        if value is not None:
            return value
        recover(status, wait, attempt)


def download(url):
    for attempt in range(1, TRIES + 1):
        status, content, wait = once("GET", url, key=False)
        if content is not None:
            return content
        recover(status, wait, attempt)


def create(order, known):
    """Creates a task. If the answer is lost, looks for the task before it creates another one."""
    for attempt in range(1, TRIES + 1):
        status, answer, wait = once("POST", f"{URL}/tasks", order)
        task = read(answer)
        if task is None and (status in (0, 500, 502, 504) or 200 <= status < 300):
            task = find(order, known)
        if task is not None and "id" in task:
            known.add(task["id"])
            return task["id"]
        recover(status, wait, attempt)


def find(order, known):
    for task in insist("GET", f"{URL}/tasks?limit=50").get("data", []):
        if task.get("id") not in known and task.get("input") == order["input"] and task.get("model") == order["model"]:
            return task
    return None


def wait(task_id):
    end = time.monotonic() + DEADLINE / SPEED
    while True:
        sleep(3)
        task = insist("GET", f"{URL}/tasks/{task_id}")
        if task.get("status") in ("succeeded", "failed", "canceled"):
            return task
        if time.monotonic() > end:
            raise Failure("The task has not ended in time.")


def collect(task):
    if task.get("status") != "succeeded":
        raise Failure(f"The task is {task.get('status')}.")
    images = (task.get("output") or {}).get("images") or []
    if not images:
        raise Failure("The task has no output.")
    for url in images:
        download(url)


def order_of(prompt, **more):
    return {"model": "acme/image-1", "input": {"prompt": prompt}, **more}


def main(run):
    try:
        run()
    except Failure as failure:
        raise SystemExit(str(failure)) from None
