"""A client that polls too fast. The fixture must fail this test."""

import json
import urllib.request


def test_a_careless_client_passes(sim):
    def call(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {sim.api_key}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(sim.base_url + path, data=data, headers=headers)) as answer:
            return json.load(answer)

    task = call("/tasks", {"model": "acme/tool-1", "input": {"prompt": "any"}})
    while task["status"] == "processing":
        sim.sleep(0.1)
        task = call(f"/tasks/{task['id']}")
    assert task["status"] == "succeeded"
