"""Creates, polls and downloads with HTTP clients, as an app does that knows nothing of tasksim."""

import asyncio
import http.client
import json
import os
import sys
import urllib.request
from urllib.parse import urlsplit

import aiohttp
import httpx
import requests
import urllib3

PREDICTIONS = "https://api.replicate.com/v1/predictions"
HEADERS = {
    "Authorization": "Bearer " + os.environ["REPLICATE_API_TOKEN"],
    "Content-Type": "application/json",
}
BODY = json.dumps({"version": "acme/image-1", "input": {"prompt": "a fox"}}).encode()


def urllib_client(method, url, body):
    request = urllib.request.Request(url, body, HEADERS, method=method)
    with urllib.request.urlopen(request) as response:
        return response.read()


def http_client(method, url, body):
    parts = urlsplit(url)
    connection = http.client.HTTPSConnection(parts.hostname)
    connection.request(method, parts.path + "?" + parts.query, body, HEADERS)
    return connection.getresponse().read()


def without_environment(method, url, body):
    session = requests.Session()
    session.trust_env = False
    return session.request(method, url, data=body, headers=HEADERS).content


def with_aiohttp(**options):
    async def send(method, url, body):
        async with aiohttp.ClientSession(**options) as session:
            async with session.request(method, url, data=body, headers=HEADERS) as response:
                return await response.read()

    return lambda *args: asyncio.run(send(*args))


async def httpx_async(method, url, body):
    async with httpx.AsyncClient() as client:
        return (await client.request(method, url, content=body, headers=HEADERS)).content


CLIENTS = {
    "urllib": urllib_client,
    "http.client": http_client,
    "requests": lambda method, url, body: requests.request(method, url, data=body, headers=HEADERS).content,
    "requests without the environment": without_environment,
    "httpx": lambda method, url, body: httpx.request(method, url, content=body, headers=HEADERS).content,
    "httpx, asynchronous": lambda *args: asyncio.run(httpx_async(*args)),
    "aiohttp": with_aiohttp(),
    "aiohttp with trust_env": with_aiohttp(trust_env=True),
    "urllib3": lambda method, url, body: urllib3.PoolManager().request(method, url, body=body, headers=HEADERS).data,
}


def outcome(send):
    try:
        made = json.loads(send("POST", PREDICTIONS, BODY))
        while made["status"] != "succeeded":
            made = json.loads(send("GET", made["urls"]["get"], None))
        output = made["output"]
        file = send("GET", output[0] if isinstance(output, list) else output, None)
        return "ok" if file[1:4] == b"PNG" else f"a file of {len(file)} bytes"
    except Exception as error:
        return str(error)


for name in sys.argv[1:]:
    print(json.dumps([name, outcome(CLIENTS[name])]), flush=True)
