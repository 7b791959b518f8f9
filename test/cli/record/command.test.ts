import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deepTest } from '../../support/deep.js'
import { folderWith, start } from '../run.js'
import { runInProcess } from '../run-in-process.js'
import { call, startSimulated } from './service.js'

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }

it('tasksim record prints the base URL for the client, a line for each exchange, and a summary', async () => {
  const folder = folderWith()
  const { origin: service } = await startSimulated()
  const args = [
    'record',
    '--upstream',
    `${service}/replicate/v1`,
    '--dialect',
    'replicate',
    '--out',
    'r.jsonl',
  ]
  const running = start(folder, [...args, '--port', '0'])
  const [, base = ''] = await running.printed(/ready at (\S+)/)
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/replicate\/v1$/)
  await running.printed(/dashboard +http/)
  const { status } = await call(base, '/models/acme/image-1/predictions', { input: ORDER.input })
  expect(status).toBe(201)
  await running.printed(/<-- POST \/replicate\/v1\/models\/acme\/image-1\/predictions 201/)
  expect((await fetch(new URL('/_sim/health', base))).status).toBe(200)
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toContain(
    'Recorded 1 exchange, 0 own requests and 0 webhooks with 1 task of 1 model',
  )
  expect(existsSync(join(folder, 'r.jsonl'))).toBe(true)
})

deepTest('tasksim record prints JSON lines', async () => {
  const { origin: service } = await startSimulated()
  const running = start(folderWith(), [
    'record',
    '--upstream',
    service,
    '--out',
    'r.jsonl',
    '--port',
    '0',
    '--json',
  ])
  const [line] = await running.printed(/.*"ready".*/)
  const ready = JSON.parse(line)
  expect(ready).toMatchObject({ upstream: [service], recording: 'r.jsonl', continued: false })
  await call(new URL(ready.base_url).origin, '/api/v1/tasks', ORDER)
  await running.printed(/"type":"request"/)
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  const last = JSON.parse(running.stdout().trimEnd().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({
    type: 'recorded',
    exchanges: 1,
    tasks: 1,
    models: 1,
    findings: 0,
    differences: 0,
  })
})

it.each([
  [['--out', 'r.jsonl'], 'The dialect tasks names no host'],
  [['--out', 'r.jsonl', '--upstream', 'api.example.com'], '--upstream must be a URL'],
  [['--out', 'r.jsonl', '--dialect', 'fal', '--poll', 'often'], '--poll must be a duration'],
  [['--out', 'r.jsonl', '--dialect', 'fal', '--public-url', 'ngrok'], '--public-url must be a URL'],
  [['--out', 'r.jsonl', '--dialect', 'fall'], 'There is no dialect "fall"'],
])('tasksim record rejects %j', async (args, message) => {
  const folder = folderWith()
  const running = runInProcess(folder, ['record', ...args])
  expect([await running.ended, running.stderr()]).toEqual([1, expect.stringContaining(message)])
  expect(existsSync(join(folder, 'r.jsonl'))).toBe(false)
})
