"""Fixtures for tests against tasksim. Copy this file next to your tests, or merge it into your own conftest.py.

One server runs for the whole session. Each test gets a sandbox of its own, on a paused clock:

    def test_a_video_is_generated(sim: Sim) -> None:
        client = Client(sim.base_url, sim.api_key, sleep=sim.sleep)
        ...

A test fails if tasksim reports a mistake of the client, of severity `warning` or `error`, or if the client sends another
API key, so that its request is outside of the sandbox. If the test fails by itself, also because it takes too long, or
if you interrupt it, the report shows the mistakes as well.
"""

from __future__ import annotations

import collections
import datetime
import difflib
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
from collections.abc import Iterable, Iterator
from typing import Any, Union

import pytest

Scenario = Union[str, "os.PathLike[str]", dict[str, Any]]

# A proxy of the environment must not receive requests to this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
CONTROL_TIMEOUT = 60
ENDLESS = ("polls-without-end", "polls-after-end")
ENDLESS_SLEEPS = 1000
# A loop that sleeps so often has no end, even if the journal no longer shows since when it runs.
MOST_SLEEPS = 20 * ENDLESS_SLEEPS
# Not a finding of tasksim: `ignore` accepts it for a test whose client is to send another key, or none.
OUTSIDE = "outside-sandbox"
SETTINGS = ("scenario", "ignore", "strict")
# Under `tasksim explore`, tests use the simulator of the exploration, which judges the client by itself.
EXPLORED = os.environ["TASKSIM_URL"] if "TASKSIM_RUN" in os.environ else None
EXTENDS = re.compile(r"""^[\s{]*["']?extends["']?\s*:\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s,}#]+))""", re.MULTILINE)


class TasksimError(Exception):
    """A mistake in a test, such as an unknown setting or a scenario with mistakes."""


class Sim:
    """A sandbox: a simulator with its own API key, scenario, clock and tasks."""

    def __init__(self, origin: str, name: str, scenario: Scenario = "default", folder: pathlib.Path | None = None) -> None:
        self.origin = origin
        """The address of the server, such as http://127.0.0.1:41233; dialects are below it, such as /replicate/v1."""
        self.base_url = f"{origin}/api/v1"
        self.ignored: set[str] = set()
        """The ids of findings that do not fail the test."""
        self.strict: bool | list[str] = False
        """Whether each rule and fault of the scenario must have applied, or the names of those that must; a list may also
        have ids of findings, which must have been observed."""
        self._sleeps = 0
        self._folder = folder or pathlib.Path()
        if EXPLORED:
            self.api_key = os.environ["TASKSIM_API_KEY"]
            self._url = f"{origin}/_sim"
        else:
            sandbox = send("POST", f"{origin}/_sim/sandboxes", {"name": name[-200:], "clock": "manual"})
            self.api_key: str = sandbox["api_key"]
            self._url = f"{origin}/_sim/sandboxes/{sandbox['id']}"
        self.time = SimulatedTime(self)
        """Replaces the module `time` in the code under test."""
        try:
            self._start = self.now()
            self._before = max((entry["number"] for entry in self._requests_outside(limit=1)), default=0)
            if scenario != "default":
                self.use_scenario(scenario)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Deletes the sandbox, if the server still runs."""
        if EXPLORED:
            return
        try:
            self.control("DELETE", "")
        except TasksimError:
            pass

    def control(self, method: str, path: str, body: object = None) -> Any:
        """Calls an operation of the control API in this sandbox: `sim.control("GET", "/tasks")`."""
        __tracebackhide__ = True
        return send(method, self._url + path, body)

    def advance(self, duration: str) -> None:
        """Advances the clock by a duration such as "30s". Webhooks that are due by then arrive before it returns."""
        self.control("POST", "/clock", {"advance": duration})

    def sleep(self, seconds: float) -> None:
        """Replaces `time.sleep` in the code under test: advances the clock. Fails a test whose client sleeps without end."""
        self._sleeps += 1
        is_due = self._sleeps % ENDLESS_SLEEPS == 0
        if is_due and (self._sleeps >= MOST_SLEEPS or any(finding["id"] in ENDLESS for finding in self.findings())):
            pytest.fail(f"The client has slept {self._sleeps} times, and its loop has no end.", pytrace=False)
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
        """Replaces the scenario: the name of a shipped one, the path of a scenario file, or the fields of one.

        A path is relative to the folder of the test file, or else to the working directory. The path in the `extends` of
        fields is relative to the folder of the test file.
        """
        __tracebackhide__ = True
        if isinstance(scenario, dict):
            self.control("PUT", "/scenario", with_bases(json.dumps(scenario), scenario.get("extends"), self._folder))
        elif is_file(scenario):
            places = [self._folder / scenario, pathlib.Path(scenario).absolute()]
            path = next((place for place in places if place.exists()), None)
            if path is None:
                raise TasksimError(f"There is no scenario file {' or '.join(dict.fromkeys(map(str, places)))}.")
            text = read_scenario(path)
            self.control("PUT", "/scenario", with_bases(text, extended_by(text), path.parent))
        else:
            self.control("PUT", "/scenario", {"name": scenario})

    def add_receiver(self, url: str) -> None:
        """Sends the webhooks of all tasks to a URL."""
        self.control("POST", "/receivers", {"url": url})

    def tasks(self) -> list[dict[str, Any]]:
        """Returns up to 100 tasks, the newest first."""
        return self.control("GET", "/tasks?limit=100")["data"]

    def findings(self) -> list[dict[str, Any]]:
        """Returns the mistakes of the client, as if it had sent its last request."""
        verdict = self.control("GET", "/findings?final=true")
        expect_known("finding", self.ignored, [*(rule["id"] for rule in verdict["checked"]), OUTSIDE])
        return [finding for finding in verdict["findings"] if finding["id"] not in self.ignored]

    def not_observed(self) -> dict[str, str]:
        """Returns why each rule that was not observed has not passed, and what would provoke it, by the id of the rule."""
        checked = self.control("GET", "/findings?final=true")["checked"]
        return {
            rule["id"]: f"{rule['reason']} {rule.get('provoke', '')}".strip()
            for rule in checked
            if rule["state"] == "not_observed"
        }

    def mistakes(self) -> str:
        """Describes the mistakes of severity `warning` and `error`; empty if there are none."""
        found = [describe(finding) for finding in self.findings() if finding["severity"] != "note"]
        return "tasksim found mistakes of the client:\n\n" + "\n\n".join(found) if found else ""

    def gaps(self) -> str:
        """Says what a strict test has not tested; empty if there is nothing."""
        if self.strict is False:
            return ""
        applied = self.expect_strict_known()
        if self.control("GET", "/state")["requests"] == 0:
            return "tasksim: the test is strict, but the client sent no request to the sandbox."
        if self.strict is not True:
            missing = [rule for rule in applied if rule["name"] in self.strict and rule["count"] == 0]
        else:
            missing = never_applied(applied)
        lines = [f"  {rule['name']} of {rule['scenario']}: {rule['definition']}" for rule in missing]
        texts = ["tasksim: these rules and faults never applied:\n\n" + "\n".join(lines)] if lines else []
        if self.strict is not True:
            unseen = self.not_observed()
            lines = [f"  {name}: {unseen[name]}" for name in self.strict if name in unseen]
            texts += ["tasksim: these findings were not observed:\n\n" + "\n".join(lines)] if lines else []
        return "\n\n".join(texts)

    def expect_strict_known(self) -> list[dict[str, Any]]:
        """Returns the rules and faults of the scenario. Fails if `strict` names one that there is not."""
        verdict = self.control("GET", "/findings")
        if not isinstance(self.strict, bool):
            findings = {rule["id"] for rule in verdict["checked"]}
            names = [rule["name"] for rule in verdict["applied"]]
            expect_known("rule or fault of the scenario", [name for name in self.strict if name not in findings], names)
        return verdict["applied"]

    def outside(self) -> str:
        """Describes the requests that had another API key; empty if there are none."""
        new = [entry for entry in self._requests_outside() if entry["number"] > self._before]
        if not new or OUTSIDE in self.ignored:
            return ""
        seen = collections.Counter(request_line(entry) for entry in reversed(new))
        lines = [f"{line}, {count} times" if count > 1 else line for line, count in seen.items()]
        lines[10:] = [f"  and {len(lines) - 10} others"] if len(lines) > 10 else []
        return (
            "tasksim: these requests had another API key or none, so they were outside of the sandbox of the test:\n\n"
            + "\n".join(lines)
            + f"\n\n  Let the client send `sim.api_key` with each of them. If the test is about the key, ignore {OUTSIDE!r}."
        )

    def _requests_outside(self, limit: int = 1000) -> list[dict[str, Any]]:
        return send("GET", f"{self.origin}/_sim/journal?type=request&brief=true&limit={limit}")["data"]

    def stopped_clock(self) -> str:
        """Says that tasks wait for the clock, which has never moved; empty if that is not so."""
        # A client that has given up may have canceled its task.
        count = sum(task["status"] not in ("succeeded", "failed") for task in self.tasks())
        if count == 0 or self._sleeps > 0 or self.now() != self._start or not self._polls():
            return ""
        tasks = "1 task has" if count == 1 else f"{count} tasks have"
        return (
            f"tasksim: the clock has not moved, and {tasks} neither succeeded nor failed. Pass `sim.sleep` to the client as "
            "its sleep function, or call `sim.advance` or `sim.resume`."
        )

    def _polls(self) -> bool:
        """Whether the client has polled a task more than once."""
        requests = self.control("GET", "/journal?type=request&brief=true&limit=1000")["data"]
        return sum(entry.get("operation") == "tasks.retrieve" for entry in requests) > 1

    def problems(self) -> list[str]:
        """Describes everything that fails the test."""
        return [text for text in (self.outside(), self.mistakes(), self.gaps()) if text]


class SimulatedTime:
    """The functions of the module `time` that clients use, on the clock of a sandbox."""

    def __init__(self, sim: Sim) -> None:
        self.sleep = sim.sleep
        self.time = sim.now
        self.monotonic = sim.now


@pytest.fixture
def sim(tasksim_origin: str, request: pytest.FixtureRequest) -> Iterator[Sim]:
    """A sandbox for one test. `@pytest.mark.tasksim(scenario="flaky", ignore=["polls-too-fast"])` configures it.

    With `strict=True`, a test fails if its client sends no request, or if a rule or fault of the scenario never applies;
    `strict=["busy"]` names those that must apply, and `strict=["polls-after-end"]` the findings that must be observed.
    """
    mistake = None
    try:
        sim = open_sandbox(tasksim_origin, request)
    except TasksimError as error:
        mistake = str(error)
    if mistake:
        pytest.fail(mistake, pytrace=False)
    request.node.stash[SIM] = sim
    yield sim
    if not request.node.stash.get(JUDGED, False):
        request.config.stash[INTERRUPTED] = describe_problems(sim, failed=True)
    sim.close()


SIM = pytest.StashKey[Sim]()
JUDGED = pytest.StashKey[bool]()
INTERRUPTED = pytest.StashKey[str]()


def open_sandbox(origin: str, request: pytest.FixtureRequest) -> Sim:
    marker = request.node.get_closest_marker("tasksim")
    settings = marker.kwargs if marker else {}
    if marker and marker.args:
        raise TasksimError(f"pytest.mark.tasksim takes settings by name, such as scenario={marker.args[0]!r}.")
    expect_known("setting of pytest.mark.tasksim", settings, SETTINGS)
    sim = Sim(origin, request.node.nodeid, settings.get("scenario", "default"), request.path.parent)
    sim.ignored.update(as_list(settings.get("ignore", [])))
    strict = settings.get("strict", False)
    sim.strict = strict if isinstance(strict, bool) else as_list(strict)
    try:
        sim.findings()  # Fails if the test ignores an unknown finding.
        if "scenario" in settings:  # Without it, the test may call `use_scenario`.
            sim.expect_strict_known()
    except BaseException:
        sim.close()
        raise
    return sim


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fails a test that has passed if its client made mistakes. A test that fails by itself does not come here."""
    sim = item.stash.get(SIM, None)
    if sim is None:
        return
    item.stash[JUDGED] = True
    if text := describe_problems(sim):
        pytest.fail(text, pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Shows the mistakes of the client in the report of a test that has failed by itself."""
    outcome = yield
    report = outcome.get_result()
    sim = item.stash.get(SIM, None)
    if sim is None or report.when != "call" or item.stash.get(JUDGED, False):
        return
    item.stash[JUDGED] = True
    if report.failed and (text := describe_problems(sim, failed=True)):
        report.sections.append(("tasksim", text))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    """Shows the mistakes of the client in the test that was interrupted."""
    text = config.stash.get(INTERRUPTED, "")
    if text and exitstatus == pytest.ExitCode.INTERRUPTED:
        terminalreporter.section("tasksim: the interrupted test")
        terminalreporter.write_line(text)


def describe_problems(sim: Sim, failed: bool = False) -> str:
    """Describes what fails the test. If it fails by itself, also says that the clock has not moved."""
    if EXPLORED:
        return ""
    try:
        texts = sim.problems()
        return "\n\n".join([text for text in (sim.stopped_clock(),) if text] + texts if failed else texts)
    except TasksimError as error:
        return f"tasksim: {error}"


@pytest.fixture(scope="session")
def tasksim_origin() -> Iterator[str]:
    """Starts a server on a free port. Returns its address, such as http://127.0.0.1:41233."""
    if EXPLORED:
        url = urllib.parse.urlsplit(EXPLORED)
        yield f"{url.scheme}://{url.netloc}"
        return
    command = [find_command(), "default", "--port", "0", "--stop-with-stdin"]
    # In a session of its own, the server outlives Ctrl-C until the report of the interrupted test is complete.
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, start_new_session=True, **pipes) as server:
        log = ""
        for line in server.stdout or []:
            log += line
            if address := re.search(r"(http://\S+)/api/v1", line):
                break
        else:
            pytest.fail(f"tasksim did not start:\n{log}", pytrace=False)
        # If nobody reads the log, the server blocks as soon as the pipe is full.
        reader = threading.Thread(target=server.stdout.read, daemon=True)
        reader.start()
        yield address[1]
        server.terminate()
        reader.join()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "tasksim(scenario, ignore, strict): settings of the fixture `sim`")


def is_file(scenario: str | os.PathLike[str]) -> bool:
    """Whether a scenario is a file, and not the name of a shipped one."""
    return isinstance(scenario, os.PathLike) or scenario.endswith((".yaml", ".yml")) or os.sep in scenario


def read_scenario(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise TasksimError(f"Cannot read the scenario {path}: {error.strerror}.") from None


def with_bases(text: str, extended: str | None, folder: pathlib.Path) -> dict[str, Any]:
    """The body of a request with a scenario, and with the files that it extends, because the server reads no files."""
    bases: dict[str, str] = {}
    while extended and is_file(extended) and extended not in bases:
        path = folder / extended
        bases[extended] = read_scenario(path)
        folder, extended = path.parent, extended_by(bases[extended])
    return {"text": text, "bases": bases}


def extended_by(text: str) -> str | None:
    """The value of `extends` in a scenario file."""
    match = EXTENDS.search(text)
    return match[match.lastindex or 0] if match else None


def expect_known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    __tracebackhide__ = True
    known = list(known)
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(known)}."
            raise TasksimError(f"There is no {what} {name!r}: {hint if known else 'there are none.'}")


def as_list(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def never_applied(applied: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rules without which a test tests nothing. Of a shipped scenario, one is enough."""
    own = [rule for rule in applied if not rule["inherited"]]
    if not own:
        return [] if any(rule["count"] for rule in applied) else applied
    used = {rule["scenario"] for rule in own if rule["count"]}
    return [rule for rule in own if rule["count"] == 0 and not (rule["shipped"] and rule["scenario"] in used)]


def find_command() -> str:
    """Returns the path of tasksim: from node_modules next to this file or above it, or else from PATH."""
    for folder in pathlib.Path(__file__).resolve().parents:
        if command := shutil.which("tasksim", path=str(folder / "node_modules" / ".bin")):
            return command
    return shutil.which("tasksim") or pytest.fail("tasksim is not installed. Run `npm install`.", pytrace=False)


def send(method: str, url: str, body: object = None) -> Any:
    __tracebackhide__ = True
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"}, method=method)
    try:
        with OPENER.open(request, timeout=CONTROL_TIMEOUT) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        answer = error.read().decode()
        path = urllib.parse.urlsplit(url).path
        raise TasksimError(message_of(answer) or f"{method} {path} got {error.code}: {answer}") from None
    except OSError as error:
        raise TasksimError(f"The server does not answer {method} {url}: {getattr(error, 'reason', error)}") from None


def message_of(answer: str) -> str | None:
    try:
        return json.loads(answer)["error"]["message"]
    except (ValueError, LookupError, TypeError):
        return None


def describe(finding: dict[str, Any]) -> str:
    heading = f"  {finding['severity']} {finding['id']}: {finding['title']}"
    seen = [f"    {where(evidence)}: {evidence['seen']}" for evidence in finding["evidence"]]
    return "\n".join([heading, *seen, f"    {finding['why']}", f"    {finding['remedy']}"])


def request_line(entry: dict[str, Any]) -> str:
    """A request outside of the sandbox, with its status and its masked key."""
    if entry["key"]:
        key = f"with the key {entry['key']}"
    else:
        is_refused = entry.get("decided_by", {}).get("name") == "refused_key"
        key = "with a key that is not accepted" if is_refused else "without a key"
    return f"  {entry['method']} {entry['path']} ({entry['status'] or 'no answer'}) {key}"


def where(evidence: dict[str, Any]) -> str:
    """The time on the clock, the task and its prompt."""
    prompt = evidence.get("prompt")
    parts = [evidence["at"][11:-1], evidence.get("task_id"), prompt and json.dumps(prompt, ensure_ascii=False)]
    return " ".join(part for part in parts if part)
