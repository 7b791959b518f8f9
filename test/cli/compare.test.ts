import { expect, it } from 'vitest'
import { historyFixture } from '../record/histories.js'
import { record } from '../record/replay/real-service.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const URL_OF_TASKS = 'https://api.example.com/api/v1/tasks'

async function run(files: Record<string, string>, ...args: string[]) {
  const running = runInProcess(folderWith(files), args)
  return { status: await running.ended, stdout: running.stdout(), stderr: running.stderr() }
}

/** A recording of a client that creates a task and polls it. */
async function recordTask(): Promise<string> {
  const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
  const real = record('tasks', { scenario: { defaults: { delay: '3s' } } })
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a lighthouse' } })
  const { id } = await (await real.send(URL_OF_TASKS, { method: 'POST', headers, body })).json()
  await real.send(`${URL_OF_TASKS}/${id}`, { headers })
  await real.sim.clock.advance('5s')
  await real.send(`${URL_OF_TASKS}/${id}`, { headers })
  const lines = real.text().split('\n')
  return lines.filter((line) => !line.includes('"type":"webhook"')).join('\n')
}

const recording = await recordTask()
const changed = recording.replace('"status":"succeeded"', '"status":"done","progress":1')

it('a service that answers as its dialect does has the exit status 0', async () => {
  const { status, stdout } = await run({ 'run.jsonl': recording }, 'compare', 'run.jsonl')
  expect(stdout).toContain('run.jsonl: 3 exchanges beside the dialect tasks')
  expect(status).toBe(0)
})

it('differences have the exit status 1, and their places', async () => {
  const { status, stdout } = await run({ 'run.jsonl': changed }, 'compare', 'run.jsonl', '--format', 'json')
  expect(status).toBe(1)
  const { passed, failures, results } = JSON.parse(stdout)
  expect({ passed, failures }).toEqual({
    passed: false,
    failures: ['2 differences from the dialect tasks.'],
  })
  expect(results.map(({ id, title, count }: never) => ({ id, title, count }))).toEqual([
    { id: 'unknown-state', title: 'GET /api/v1/tasks/{task_id}: status', count: 1 },
    { id: 'unknown-field', title: 'GET /api/v1/tasks/{task_id}: progress', count: 1 },
  ])
  expect(results[0]).toMatchObject({ expected: '"succeeded"', got: '"done"', occurrences: [{ exchange: 3 }] })
})

it('Markdown has a table of the differences', async () => {
  const { stdout } = await run({ 'run.jsonl': changed }, 'compare', 'run.jsonl', '--format', 'markdown')
  expect(stdout).toContain('`unknown-state`<br>GET /api/v1/tasks/{task&#95;id}: status')
})

it('a HAR file is compared with the dialect that is given, which can be a file', async () => {
  const { text } = historyFixture('luma')
  const { status, stdout } = await run({ 'app.har': text }, 'compare', 'app.har', '--dialect', 'luma')
  expect(status).toBe(1)
  expect(stdout).toContain('GET /dream-machine/v1/generations/{task_id}: assets.progress_video')
  const own = `name: mine
title: Mine
hosts: [https://api.lumalabs.ai]
prefix: /dream-machine/v1
ids: { characters: uuid }
statuses: { queued: queued, processing: dreaming, succeeded: completed, failed: failed, canceled: failed }
task: { id: "{{id}}", state: "{{status}}" }
error: { body: { detail: "{{message}}" } }
operations:
  POST /generations/video: { action: create, kind: video, status: 201 }
  GET /generations/{task_id}: retrieve
`
  const files = { 'app.har': text, 'mine.yaml': own }
  const mine = await run(files, 'compare', 'app.har', '--dialect', 'mine.yaml')
  expect(mine.stdout).toContain('beside the dialect mine')
  expect(mine.stdout).toContain('unknown-operation')
})

it('a file without requests to the service has the exit status 2', async () => {
  const { text } = historyFixture('luma')
  const { status, stderr } = await run({ 'app.har': text }, 'compare', 'app.har', '--dialect', 'fal')
  expect(status).toBe(2)
  expect(stderr).toContain('There are no requests to fal in app.har. Set --dialect to the service')
  const other = await run({ 'a.json': '[]' }, 'compare', 'a.json')
  expect(other.status).toBe(2)
  expect(other.stderr).toContain('a.json is neither a recording nor a HAR file.')
})
