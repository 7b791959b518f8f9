import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineScenario, type Simulator } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'
import { Client } from '../src/client.js'
import { saveFile } from '../src/download.js'

const test = simTest({ baseUrl: 'https://api.example.com/api/v1' })
const REQUEST = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }

function connectionTo(sim: Simulator) {
  return {
    baseUrl: 'https://api.example.com/api/v1',
    apiKey: 'sk_live_local',
    wait: (milliseconds: number) => sim.clock.advance(milliseconds),
  }
}

test('the client generates and downloads an image', async ({ sim }) => {
  const connection = connectionTo(sim)
  const client = new Client(connection)
  const folder = await mkdtemp(join(tmpdir(), 'example-'))
  const { id } = await client.create(REQUEST)
  await saveFile(client, connection, await client.waitFor(id), 0, join(folder, 'image.png'))
  expect((await readFile(join(folder, 'image.png'))).subarray(1, 4).toString()).toBe('PNG')
  expect(await readdir(folder)).toEqual(['image.png'])
  expect(sim).toHaveNoFindings()
})

test('the client follows Retry-After', async ({ sim }) => {
  const busy = { status: 429, retry_after: '20s' } as const
  sim.useScenario(
    defineScenario({
      faults: [
        { when: { operation: 'tasks.create' }, then: [busy, 503] },
        { when: { operation: 'tasks.retrieve' }, then: ['reset', 502, busy] },
      ],
    }),
  )
  const client = new Client(connectionTo(sim))
  const { id } = await client.create(REQUEST)
  expect((await client.waitFor(id)).status).toBe('succeeded')
  expect(sim).toHaveNoFindings({ ignore: ['output-never-downloaded'] })
})

test('the client does not pay twice after a lost response', async ({ sim }) => {
  sim.useScenario('lost-create-response')
  const client = new Client(connectionTo(sim))
  const { id } = await client.create(REQUEST)
  expect((await client.waitFor(id)).status).toBe('succeeded')
  expect((await sim.control.tasks.list()).data).toHaveLength(1)
  expect(sim).toHaveNoFindings({ ignore: ['output-never-downloaded'] })
})

test('a rejection is reported immediately', async ({ sim }) => {
  const client = new Client({ ...connectionTo(sim), apiKey: '' })
  await expect(client.create(REQUEST)).rejects.toMatchObject({ status: 401 })
})

test('a failed task is reported with its reason', async ({ sim }) => {
  const client = new Client(connectionTo(sim))
  const { id } = await client.create({ ...REQUEST, input: { prompt: '[[sim outcome=failed error=nsfw]]' } })
  await expect(client.waitFor(id)).rejects.toThrow(/failed/)
})

test('a task that does not end is canceled', async ({ sim }) => {
  sim.useScenario('stuck')
  const client = new Client(connectionTo(sim))
  const { id } = await client.create(REQUEST)
  await expect(client.waitFor(id, 60_000)).rejects.toThrow('60 seconds')
  expect((await client.retrieve(id)).status).toBe('canceled')
})

test('the client downloads through a fresh URL after the first has expired', async ({ sim }) => {
  const connection = connectionTo(sim)
  const client = new Client(connection)
  const path = join(await mkdtemp(join(tmpdir(), 'example-')), 'image.png')
  const task = await client.create(REQUEST).then(({ id }) => client.waitFor(id))
  await sim.clock.advance('25h')
  await saveFile(client, connection, task, 0, path)
  expect((await readFile(path)).length).toBeGreaterThan(1_000)
})
