"""Makes a picture, with the standard library alone: python3 client.py BASE_URL"""

import json
import sys
import time
import urllib.error
import urllib.request

HEADERS = {"Authorization": "Bearer sk_live_local", "Content-Type": "application/json"}
PAUSES = [0.1, 0.5] + [2] * 60


def send(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=HEADERS)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def poll(url):
    for pause in PAUSES:
        try:
            task = send(url)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise
            time.sleep(float(error.headers.get("Retry-After", pause)))
            continue
        if task["status"] not in ("queued", "processing"):
            return task
        time.sleep(pause)
    raise TimeoutError(f"{url} has not ended")


def generate(base, model, **parameters):
    task = send(f"{base}/tasks", {"model": model, "input": parameters})
    task = poll(f"{base}/tasks/{task['id']}")
    if task["status"] != "succeeded":
        raise RuntimeError(task.get("error", {}).get("message", task["status"]))
    return task["output"]


if __name__ == "__main__":
    base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010/api/v1"
    for url in generate(base, "acme/image-1", prompt="a lighthouse at dawn")["images"]:
        # The file host is somebody else's: it gets no API key.
        with urllib.request.urlopen(url, timeout=30) as file:
            print(url.split("?")[0], len(file.read()), "bytes")
