"""Generates an image with the generated client in Python."""

import json
import os
import sys
import time
import urllib.request

sys.path.insert(0, "generated/python")
import service

configuration = service.Configuration(host=os.environ.get("ORIGIN", "http://127.0.0.1:4010"))
configuration.access_token = os.environ.get("TASKSIM_API_KEY", "sk_live_local")
tasks = service.TasksApi(service.ApiClient(configuration))

order = service.InlineObject(model="acme/image-1", input={"prompt": "a lighthouse at noon"})
task_id = tasks.tasks_create(order).id
while True:
    time.sleep(1)
    # The generated models know no alternatives, but the output of a task depends on its kind. So this reads the JSON.
    task = json.loads(tasks.tasks_retrieve(task_id, _preload_content=False).data)
    if task["status"] not in ("queued", "processing"):
        break
with urllib.request.urlopen(task["output"]["images"][0], timeout=30) as file:
    print("Python:", task["status"], len(file.read()) > 0)
