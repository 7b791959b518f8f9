import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Received, receiverServer } from '../../src/cli/commands/listen.js'
import { loadGivenDialect } from '../../src/cli/dialects/given-dialects.js'
import { dialectStarter } from '../../src/cli/init/starters.js'
import type { Dialect } from '../../src/dialects/dialect.js'
import { Dialects } from '../../src/dialects/dialects.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

/** Starts the receiver of `tasksim listen`. */
async function listenTo(dialect: string | Dialect, secret?: string) {
  const received: Received[] = []
  const server = receiverServer({
    dialect: typeof dialect === 'string' ? await new Dialects().load(dialect) : dialect,
    secret,
    statuses: [200],
    onReceived: (webhook) => received.push(webhook),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function trigger(...args: string[]) {
  const { ended, stdout, stderr } = runInProcess('.', ['trigger', ...args])
  return { status: await ended, text: stdout() + stderr() }
}

it.each([
  ['tasks', 'task.failed', 'task.failed', 'right'],
  ['replicate', 'task.output', 'processing', 'right'],
  ['openrouter', 'task.succeeded', 'video.generation.completed', 'right'],
  ['luma', 'task.started', 'dreaming', 'unsigned'],
])('trigger sends an event of %s, which listen verifies', async (dialect, event, shown, signature) => {
  const { received, url } = await listenTo(dialect)
  expect((await trigger(event, '--dialect', dialect, '--to', url)).status).toBe(0)
  expect(received).toMatchObject([{ event: shown, task_id: expect.any(String), signature, status: 200 }])
})

it('trigger sends the events of a dialect file, which listen verifies, and explains which it does not send', async () => {
  const dir = folderWith({ 'acme.yaml': dialectStarter('', 'acme') })
  const file = join(dir, 'acme.yaml')
  const { dialect } = await loadGivenDialect(file)
  const { received, url } = await listenTo(dialect)
  for (const event of ['task.succeeded', 'task.failed'])
    expect((await trigger(event, '--dialect', file, '--to', url)).status).toBe(0)
  expect(received).toMatchObject([
    { event: 'job.done', task_id: expect.stringMatching(/^job_/), signature: 'right', status: 200 },
    { event: 'job.failed', signature: 'right' },
  ])
  expect(await trigger('task.started', '--dialect', file, '--to', url)).toMatchObject({
    status: 1,
    text: expect.stringContaining('The dialect acme does not send task.started. It sends '),
  })
})

it.each(['replicate', 'openrouter'])('listen recognizes a forged webhook of %s', async (dialect) => {
  const { received, url } = await listenTo(dialect, 'whsec_b3RoZXI=')
  await trigger('task.succeeded', '--dialect', dialect, '--to', url)
  await fetch(url, { method: 'POST', body: received[0]?.body ?? '' })
  expect(received.map(({ signature }) => signature)).toEqual(['wrong', 'missing'])
})

it.each([
  ['runway', 'task.failed', 'The dialect runway does not send task.failed. It sends no webhooks.'],
  [
    'tasks',
    'task.logs',
    'The dialect tasks does not send task.logs. It sends task.succeeded, task.failed, task.canceled.',
  ],
])('trigger explains that %s does not send %s', async (dialect, event, message) => {
  const { status, text } = await trigger(event, '--dialect', dialect, '--to', 'http://127.0.0.1:9/')
  expect(status).not.toBe(0)
  expect(text).toContain(message)
})
