import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { deepTest } from '../support/deep.js'
import { json } from '../support/json.js'
import { folderWith, type Running, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

async function receiverAt(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

async function createTask(running: Running): Promise<string> {
  const [base] = await running.printed(/http:\/\/[\w.]+:\d+\/api\/v1/)
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const { id } = await json(fetch(`${base}/tasks`, { method: 'POST', headers: HEADERS, body }))
  return id
}

/** Starts a receiver that reports its first call and waits for `answer()`. */
async function slowReceiver() {
  let answer = () => {}
  let called = () => {}
  const isCalled = new Promise<void>((resolve) => {
    called = resolve
  })
  const url = await receiverAt((_, response) => {
    answer = () => response.writeHead(204).end()
    called()
  })
  return { url, isCalled, answer: () => answer() }
}

/** Sends a signal to the process as soon as it prints. */
const SIGNAL_AT_BANNER = `const { write } = process.stdout
process.stdout.write = (...args) => {
  process.kill(process.pid, 'SIGTERM')
  return write.apply(process.stdout, args)
}`

it.each([
  ['instant', '--port', '0'],
  ['record', '--port', '0', '--out', 'out.jsonl', '--upstream', 'http://127.0.0.1:9'],
])('%s shuts down in order at a signal that arrives with the banner', async (...args) => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SIGNAL_AT_BANNER)}` }
  expect(await start(folderWith(), args, env).ended).toBe(0)
})

const DRAINING = /Waiting up to 60s for 1 pending webhook\. Send a second signal to exit immediately\./

deepTest(
  'tasksim serve reports how many pending webhooks a signal drops, and which option waits for them',
  async () => {
    const { url, isCalled } = await slowReceiver()
    const running = start(folderWith(), ['instant', '--port', '0', '--webhook', url])
    await createTask(running)
    await isCalled
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(running.stdout()).toMatch(/Dropped 1 pending webhook\. To wait for them, pass --drain 10s\.\n$/)
  },
)

it('tasksim serve stops with its parent if it is told to, however that ends', async () => {
  const running = start(folderWith(), ['instant', '--port', '0', '--stop-with-stdin'])
  await running.printed(/http:\/\/[\w.]+:\d+\/api\/v1/)
  running.child.stdin?.end()
  expect(await running.ended).toBe(0)
})

it('tasksim serve waits for a webhook in transmission with --drain, still answers requests, and exits at a second signal', async () => {
  const { url, isCalled, answer } = await slowReceiver()
  const running = start(folderWith(), ['instant', '--port', '0', '--webhook', url, '--drain', '60s'])
  const id = await createTask(running)
  await isCalled
  running.child.kill('SIGTERM')
  await running.printed(DRAINING)
  await createTask(running)
  answer()
  await running.printed(new RegExp(`204 ${id}`))
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(130)
})

deepTest('tasksim serve exits when the last webhook is finished', async () => {
  const { url, isCalled, answer } = await slowReceiver()
  const running = start(folderWith(), ['instant', '--port', '0', '--webhook', url, '--drain', '60s'])
  const id = await createTask(running)
  await isCalled
  running.child.kill('SIGTERM')
  await running.printed(DRAINING)
  answer()
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(new RegExp(`204 ${id}.*\nAll pending webhooks are finished\\.\n$`))
})

deepTest('tasksim serve does not wait for a retry that is due after the limit', async () => {
  const url = await receiverAt((_, response) => response.writeHead(500).end())
  const files = { 'a.yaml': '{ extends: instant, webhooks: { retries: [1h] } }' }
  const args = ['./a.yaml', '--port', '0', '--webhook', url, '--drain', '60s', '--json']
  const running = start(folderWith(files), args)
  await createTask(running)
  await running.printed(/"status":500/)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  const lines = running
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(-2)).toEqual([
    expect.objectContaining({ type: 'shutdown', state: 'draining', pending: 1, limit_ms: 60_000 }),
    expect.objectContaining({ type: 'shutdown', state: 'ended', dropped: 1, limit_ms: 60_000 }),
  ])
})

deepTest(
  'tasksim serve sends due webhooks on a manual clock, and waits for no retry, because the clock does not advance',
  async () => {
    const url = await receiverAt((_, response) => response.writeHead(500).end())
    const args = ['instant', '--port', '0', '--webhook', url, '--drain', '60s', '--clock', 'manual']
    const running = start(folderWith(), args)
    await createTask(running)
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(running.stdout()).toMatch(/POST http.*hook 500/)
    expect(running.stdout()).toMatch(/Dropped 1 pending webhook\.\n$/)
  },
)

deepTest('tasksim serve exits at once at a second signal, also without a request in between', async () => {
  const { url, isCalled } = await slowReceiver()
  const running = start(folderWith(), ['instant', '--port', '0', '--webhook', url, '--drain', '60s'])
  await createTask(running)
  await isCalled
  running.child.kill('SIGINT')
  await running.printed(DRAINING)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(143)
})

it('tasksim serve rejects a limit that is not a duration', async () => {
  const running = runInProcess(folderWith(), ['--drain', 'soon'])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(/--drain must be a duration such as .*; got "soon"/)
})
