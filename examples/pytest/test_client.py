"""Tests of the client, on the clock of tasksim: no test waits."""

from __future__ import annotations

import email.message
import email.utils
import hashlib
import hmac
import http.server
import json
import pathlib
import threading
import urllib.error
from collections.abc import Iterator

import client
import pytest
from conftest import Sim

MODEL = "acme/image-1"
WEBHOOK_SECRET = b"whsec_local_signing_secret"


@pytest.fixture
def base(sim: Sim, monkeypatch: pytest.MonkeyPatch) -> str:
    """Connects the client to the sandbox and its clock. Returns the base URL."""
    monkeypatch.setattr(client, "time", sim.time)
    monkeypatch.setitem(client.HEADERS, "Authorization", f"Bearer {sim.api_key}")
    return sim.base_url


def test_an_image_is_generated_and_downloaded(base: str, sim: Sim, tmp_path: pathlib.Path) -> None:
    (url,) = client.generate(base, MODEL, prompt="a lighthouse at dawn")["images"]
    path = client.download(url, tmp_path)
    assert path.read_bytes()[1:4] == b"PNG"
    assert list(tmp_path.iterdir()) == [path]
    assert [task["status"] for task in sim.tasks()] == ["succeeded"]


def test_a_failed_task_raises_an_error_with_its_reason(base: str) -> None:
    with pytest.raises(RuntimeError, match="No storms."):
        client.generate(base, MODEL, prompt='a storm [[sim outcome=failed message="No storms."]]')


def test_a_task_that_never_ends_is_canceled(base: str, sim: Sim) -> None:
    sim.use_scenario("stuck")
    with pytest.raises(TimeoutError):
        client.generate(base, MODEL, prompt="a lighthouse at dawn")
    assert [task["status"] for task in sim.tasks()] == ["canceled"]


def test_lost_responses_and_rejections_are_retried_without_a_second_task(
    base: str, sim: Sim, tmp_path: pathlib.Path
) -> None:
    busy = {"status": 429, "retry_after": "7s"}
    faults = [
        {"when": {"operation": "tasks.create", "per": "task"}, "then": ["lost"]},
        {"when": {"operation": "tasks.retrieve", "per": "task"}, "then": [busy, 503, "reset", "cut"]},
    ]
    sim.use_scenario({"extends": "default", "faults": faults})
    (url,) = client.generate(base, MODEL, prompt="a lighthouse at dawn")["images"]
    client.download(url, tmp_path)
    assert len(sim.tasks()) == 1


@pytest.mark.tasksim(ignore=["output-never-downloaded"])
def test_a_signed_webhook_arrives_when_the_clock_advances(base: str, sim: Sim, receiver: Receiver) -> None:
    sim.add_receiver(f"http://127.0.0.1:{receiver.server_port}/")
    task = client.create(base, {"model": MODEL, "input": {"prompt": "a lighthouse at dawn"}})
    assert receiver.events == []
    sim.advance("1m")
    assert [(event["event"], event["task"]["id"]) for event in receiver.events] == [("task.succeeded", task["id"])]


class Receiver(http.server.ThreadingHTTPServer):
    """Collects webhooks with a valid signature."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.events: list[dict] = []


class Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = hmac.new(WEBHOOK_SECRET, body, hashlib.sha256).hexdigest()
        is_valid = hmac.compare_digest(self.headers.get("X-Service-Signature", ""), expected)
        if is_valid:
            self.server.events.append(json.loads(body))
        self.send_response(204 if is_valid else 401)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def rejection(code: int, retry_after: str | None = None) -> urllib.error.HTTPError:
    headers = email.message.Message()
    if retry_after is not None:
        headers["Retry-After"] = retry_after
    return urllib.error.HTTPError("http://api.example.com", code, "", headers, None)


def test_the_delay_follows_retry_after_in_seconds() -> None:
    assert client.retry_delay(rejection(429, "7"), 0) == 7


def test_the_delay_follows_retry_after_as_a_date(base: str, sim: Sim) -> None:
    date = email.utils.formatdate(sim.now() + 60, usegmt=True)
    assert client.retry_delay(rejection(503, date), 0) == pytest.approx(60, abs=1)


def test_the_delay_grows_without_retry_after() -> None:
    assert client.retry_delay(rejection(500), 0) <= 1
    assert client.retry_delay(ConnectionResetError(), 5) >= 15


def test_a_rejection_is_not_retried() -> None:
    assert client.retry_delay(rejection(404), 0) is None
