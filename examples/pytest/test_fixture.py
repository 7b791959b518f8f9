"""Tests of the fixture in conftest.py, with tests that fail."""

from __future__ import annotations

import os
import pathlib

import pytest
from conftest import find_command

FOLDER = pathlib.Path(__file__).parent

BASE = """
faults:
  - { name: busy, when: { operation: tasks.retrieve, per: task }, then: [503] }
"""

TESTS = """
import client
import pytest

@pytest.fixture
def base(sim, monkeypatch):
    monkeypatch.setattr(client, "time", sim.time)
    monkeypatch.setitem(client.HEADERS, "Authorization", f"Bearer {sim.api_key}")
    return sim.base_url

def test_fails_by_itself(base, sim):
    client.send(f"{base}/tasks", {"model": "m", "input": {"prompt": "waves"}})
    sim.advance("1h")
    assert False, "the reason"

@pytest.mark.tasksim(ignore=["orphans-taks"])
def test_unknown_finding(sim): pass

@pytest.mark.tasksim(scenaro="flaky")
def test_unknown_setting(sim): pass

@pytest.mark.tasksim(scenario="flakyy")
def test_unknown_scenario(sim): pass

@pytest.mark.tasksim(scenario="own.yaml", strict=["busy"], ignore="output-never-downloaded")
def test_extended_file(base):
    client.generate(base, "acme/image-1", prompt="waves")

@pytest.mark.tasksim(scenario={"extends": "scenarios/base.yaml"}, strict=True)
def test_never_applied(base):
    client.send(f"{base}/tasks?limit=1")

@pytest.mark.tasksim(scenario="base.yaml")
def test_no_file(sim): pass

@pytest.mark.tasksim(scenario={"extends": "scenarios/base.yaml"}, strict=["bussy"])
def test_unknown_fault(sim): pass

@pytest.mark.tasksim(scenario="default", strict="busy")
def test_fault_of_no_scenario(sim): pass

@pytest.mark.xfail(reason="known", strict=True)
def test_known_mistake(base):
    client.send(f"{base}/tasks", {"model": "m", "input": {}})

@pytest.mark.xfail(reason="known", strict=True)
def test_no_mistake(base):
    client.send(f"{base}/tasks?limit=1")

def test_other_key(sim, monkeypatch):
    monkeypatch.setattr(client, "time", sim.time)
    client.send(f"{sim.base_url}/tasks?limit=1")

@pytest.mark.tasksim(strict=True)
def test_no_key(sim):
    with pytest.raises(OSError):
        client.fetch(f"{sim.origin}/openai/v1/videos/video_1/content")

def test_no_key_for_a_task(base, sim):
    url = f"{base}/tasks/{client.create(base, {'model': 'm', 'input': {}})['id']}"
    client.poll(url)
    with pytest.raises(OSError):
        client.fetch(url)

@pytest.mark.tasksim(ignore="outside-sandbox")
def test_about_the_key(sim):
    with pytest.raises(OSError):
        client.fetch(f"{sim.base_url}/tasks")

def test_stopped_clock(base):
    task = client.create(base, {"model": "m", "input": {}})
    for _ in range(2):
        client.send(f"{base}/tasks/{task['id']}")
    assert False, "it takes too long"

@pytest.mark.tasksim(strict=["key-missing", "fetched-after-expiry"], ignore="output-never-downloaded")
def test_not_observed(base, sim):
    assert "key-missing" in sim.not_observed()
    client.generate(base, "acme/image-1", prompt="waves")
    assert "key-missing" not in sim.not_observed()

def test_sandboxes_are_deleted(sim):
    send = type(sim).control.__globals__["send"]
    assert [each["api_key"] for each in send("GET", f"{sim.origin}/_sim/sandboxes")["data"]] == [sim.api_key]

@pytest.mark.tasksim(ignore="polls-after-end")
def test_never_sleeps(base):
    id = client.send(f"{base}/tasks", {"model": "m", "input": {}})["id"]
    while True:
        try:
            client.send(f"{base}/tasks/{id}")
        except client.urllib.error.HTTPError:
            pass

@pytest.mark.tasksim(scenario={"faults": [{"when": {"operation": "tasks.create"}, "then": 503}]})
def test_endless_creates(base, sim):
    while True:
        try:
            client.send(f"{base}/tasks", {"model": "m", "input": {}})
        except client.urllib.error.HTTPError:
            sim.sleep(30)

@pytest.mark.tasksim(scenario="stuck")
def test_endless(base, sim):
    id = client.send(f"{base}/tasks", {"model": "m", "input": {}})["id"]
    while True:
        client.send(f"{base}/tasks/{id}")
        sim.sleep(30)
"""


def test_the_fixture_says_what_is_wrong(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(pytester, monkeypatch, TESTS)
    pytester.mkdir("scenarios").joinpath("base.yaml").write_text(BASE, encoding="utf-8")
    pytester.path.joinpath("own.yaml").write_text("extends: ./scenarios/base.yaml  # the faults\n", encoding="utf-8")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=3, failed=11, errors=6, xfailed=1)
    output = result.stdout.str()
    for sentence in (
        "the reason",
        'result-never-learned: The client never learns the result of a task\n    00:00:02.000 task_',
        ' "waves": The task ended (succeeded), but',
        "There is no finding 'orphans-taks': did you mean 'orphans-task'?",
        "There is no setting of pytest.mark.tasksim 'scenaro': did you mean 'scenario'?",
        'There is no shipped scenario "flakyy": did you mean `flaky`?',
        f"There is no scenario file {pytester.path}/base.yaml.",
        "There is no rule or fault of the scenario 'bussy': did you mean 'busy'?",
        "There is no rule or fault of the scenario 'busy': there are none.",
        "[XPASS(strict)] known",
        "  GET /api/v1/tasks (200) with the key sk_...ocal\n",
        "  GET /openai/v1/videos/video_1/content (401) without a key\n\n  Let the client send `sim.api_key`",
        "error key-missing:",
        "tasksim: the clock has not moved, and 1 task has neither succeeded nor failed. Pass `sim.sleep`",
        "tasksim: these rules and faults never applied:\n\n  busy of ",
        "tasksim: these findings were not observed:\n\n  fetched-after-expiry: The client had no occasion",
        "The client has slept 1000 times, and its loop has no end.",
        "error polls-without-end:",
        "POST /api/v1/tasks failed 1000 times in a row, within ",
        "warning polls-too-fast:",
        "while the clock stood still: the client does not wait between them.",
    ):
        assert sentence in output


INTERRUPTED = """
import client
import pytest

def test_interrupted(sim, monkeypatch):
    monkeypatch.setitem(client.HEADERS, "Authorization", f"Bearer {sim.api_key}")
    client.send(f"{sim.base_url}/tasks", {"model": "m", "input": {}})
    raise KeyboardInterrupt

"""

def prepare(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tests: str) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    monkeypatch.setenv("PATH", str(pathlib.Path(find_command()).parent), prepend=os.pathsep)
    pytester.makeconftest((FOLDER / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_it=tests)


def test_an_interrupted_test_shows_the_mistakes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(pytester, monkeypatch, INTERRUPTED)
    output = pytester.runpytest_subprocess("-p", "no:cacheprovider").stdout.str()
    assert "error result-never-learned:" in output
    assert "the clock has not moved" not in output
