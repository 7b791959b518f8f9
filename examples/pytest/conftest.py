"""Fixtures for tests against tasksim. Copy this file next to your tests, or merge it into your own conftest.py.

One server runs for the whole session. Each test gets a sandbox of its own, on a paused clock:

    def test_a_video_is_generated(sim: Sim) -> None:
        client = Client(sim.base_url, sim.api_key, sleep=sim.sleep)
        ...

A test fails if tasksim reports a mistake of the client, of severity `warning` or `error`.
"""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, Union

import pytest

Scenario = Union[str, "os.PathLike[str]", dict[str, Any]]

# A proxy of the environment must not receive requests to this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
CONTROL_TIMEOUT = 60


class Sim:
    """A sandbox: a simulator with its own API key, scenario, clock and tasks."""

    def __init__(self, origin: str, name: str, scenario: Scenario) -> None:
        self.origin = origin
        """The address of the server, such as http://127.0.0.1:41233; dialects are below it, such as /replicate/v1."""
        self.base_url = f"{origin}/api/v1"
        self.ignored: set[str] = set()
        """The ids of findings that do not fail the test."""
        is_shipped = isinstance(scenario, str) and not is_file(scenario)
        options = {"name": name[-200:], "clock": "manual", "scenario": scenario if is_shipped else "default"}
        sandbox = send("POST", f"{origin}/_sim/sandboxes", options)
        self.api_key: str = sandbox["api_key"]
        self._url = f"{origin}/_sim/sandboxes/{sandbox['id']}"
        self.time = SimulatedTime(self)
        """Replaces the module `time` in the code under test."""
        if not is_shipped:
            self.use_scenario(scenario)

    def control(self, method: str, path: str, body: object = None) -> Any:
        """Calls an operation of the control API in this sandbox: `sim.control("GET", "/tasks")`."""
        return send(method, self._url + path, body)

    def advance(self, duration: str) -> None:
        """Advances the clock by a duration such as "30s". Webhooks that are due by then arrive before it returns."""
        self.control("POST", "/clock", {"advance": duration})

    def sleep(self, seconds: float) -> None:
        """Replaces `time.sleep` in the code under test: advances the clock."""
        self.advance(f"{max(0, round(seconds * 1000))}ms")

    def pause(self) -> None:
        """Pauses the clock, as at the start of each test."""
        self.control("POST", "/clock", {"mode": "manual"})

    def resume(self, speed: float = 1) -> None:
        """Lets the clock run, at `speed` simulated seconds per real second."""
        self.control("POST", "/clock", {"mode": "real", "speed": speed})

    def now(self) -> float:
        """Returns the time of the clock, in seconds since 1970."""
        now = self.control("GET", "/clock")["now"]
        return datetime.datetime.fromisoformat(now.replace("Z", "+00:00")).timestamp()

    def use_scenario(self, scenario: Scenario) -> None:
        """Replaces the scenario: the name of a shipped one, the path of a scenario file, or the fields of one."""
        if isinstance(scenario, dict):
            choice: dict[str, Any] = {"scenario": scenario}
        elif is_file(scenario):
            choice = {"text": pathlib.Path(scenario).read_text(encoding="utf-8")}
        else:
            choice = {"name": scenario}
        self.control("PUT", "/scenario", choice)

    def add_receiver(self, url: str) -> None:
        """Sends the webhooks of all tasks to a URL."""
        self.control("POST", "/receivers", {"url": url})

    def tasks(self) -> list[dict[str, Any]]:
        """Returns up to 100 tasks, the newest first."""
        return self.control("GET", "/tasks?limit=100")["data"]

    def findings(self) -> list[dict[str, Any]]:
        """Returns the mistakes of the client, as if it had sent its last request."""
        found = self.control("GET", "/findings?final=true")["findings"]
        return [finding for finding in found if finding["id"] not in self.ignored]


class SimulatedTime:
    """The functions of the module `time` that clients use, on the clock of a sandbox."""

    def __init__(self, sim: Sim) -> None:
        self.sleep = sim.sleep
        self.time = sim.now
        self.monotonic = sim.now


@pytest.fixture
def sim(tasksim_origin: str, request: pytest.FixtureRequest) -> Iterator[Sim]:
    """A sandbox for one test. `@pytest.mark.tasksim(scenario="flaky", ignore=["polls-too-fast"])` configures it."""
    marker = request.node.get_closest_marker("tasksim")
    settings = marker.kwargs if marker else {}
    sim = Sim(tasksim_origin, request.node.nodeid, settings.get("scenario", "default"))
    sim.ignored.update(settings.get("ignore", []))
    request.node.stash[SIM] = sim
    yield sim
    sim.control("DELETE", "")


SIM = pytest.StashKey[Sim]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fails a test that has passed if its client made mistakes."""
    outcome = yield
    report = outcome.get_result()
    sim = item.stash.get(SIM, None)
    if sim is None or report.when != "call" or not report.passed:
        return
    mistakes = [finding for finding in sim.findings() if finding["severity"] != "note"]
    if mistakes:
        report.outcome = "failed"
        report.longrepr = "tasksim found mistakes of the client:\n\n" + "\n\n".join(map(describe, mistakes))


@pytest.fixture(scope="session")
def tasksim_origin() -> Iterator[str]:
    """Starts a server on a free port. Returns its address, such as http://127.0.0.1:41233."""
    command = [find_command(), "default", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        log = ""
        for line in server.stdout or []:
            log += line
            if address := re.search(r"(http://\S+)/api/v1", line):
                break
        else:
            pytest.fail(f"tasksim did not start:\n{log}", pytrace=False)
        # If nobody reads the log, the server blocks as soon as the pipe is full.
        reader = threading.Thread(target=server.communicate, daemon=True)
        reader.start()
        yield address[1]
        server.terminate()
        reader.join()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "tasksim(scenario, ignore): settings of the fixture `sim`")


def is_file(scenario: str | os.PathLike[str]) -> bool:
    """Whether a scenario is a file, and not the name of a shipped one."""
    return isinstance(scenario, os.PathLike) or scenario.endswith((".yaml", ".yml")) or os.sep in scenario


def find_command() -> str:
    """Returns the path of tasksim: from node_modules next to this file or above it, or else from PATH."""
    for folder in pathlib.Path(__file__).resolve().parents:
        if command := shutil.which("tasksim", path=str(folder / "node_modules" / ".bin")):
            return command
    return shutil.which("tasksim") or pytest.fail("tasksim is not installed. Run `npm install`.", pytrace=False)


def send(method: str, url: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"}, method=method)
    try:
        with OPENER.open(request, timeout=CONTROL_TIMEOUT) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        path = urllib.parse.urlsplit(url).path
        raise RuntimeError(f"{method} {path} got {error.code}: {error.read().decode()}") from None


def describe(finding: dict[str, Any]) -> str:
    heading = f"  {finding['severity']} {finding['id']}: {finding['title']}"
    seen = [f"    {evidence['seen']}" for evidence in finding["evidence"]]
    return "\n".join([heading, *seen, f"    {finding['why']}", f"    {finding['remedy']}"])
