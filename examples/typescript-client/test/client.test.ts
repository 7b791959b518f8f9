import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineScenario, type Simulator } from 'tasksim'
import { expect, simTest } from 'tasksim/vitest'
import { Client } from '../src/client.js'
import { keep } from '../src/download.js'

const test = simTest({ baseUrl: 'https://api.example.com/api/v1' })
const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }

function connectionTo(sim: Simulator) {
  return {
    baseUrl: 'https://api.example.com/api/v1',
    apiKey: 'sk_live_local',
    wait: (milliseconds: number) => sim.clock.advance(milliseconds),
  }
}

test('an image is made, and kept', async ({ sim }) => {
  const connection = connectionTo(sim)
  const client = new Client(connection)
  const folder = await mkdtemp(join(tmpdir(), 'example-'))
  const { id } = await client.create(ORDER)
  await keep(client, connection, await client.finished(id), 0, join(folder, 'image.png'))
  expect((await readFile(join(folder, 'image.png'))).subarray(1, 4).toString()).toBe('PNG')
  expect(await readdir(folder)).toEqual(['image.png'])
  expect(sim).toHaveNoFindings()
})

test('a busy service is asked again when it says', async ({ sim }) => {
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
  const { id } = await client.create(ORDER)
  expect((await client.finished(id)).status).toBe('succeeded')
  expect(sim).toHaveNoFindings({ ignore: ['output-never-downloaded'] })
})

test('an answer that is lost is not paid for twice', async ({ sim }) => {
  sim.useScenario('lost-create-response')
  const client = new Client(connectionTo(sim))
  const { id } = await client.create(ORDER)
  expect((await client.finished(id)).status).toBe('succeeded')
  expect((await sim.control.tasks.list()).data).toHaveLength(1)
  expect(sim).toHaveNoFindings({ ignore: ['output-never-downloaded'] })
})

test('a refusal is reported at once', async ({ sim }) => {
  const client = new Client({ ...connectionTo(sim), apiKey: '' })
  await expect(client.create(ORDER)).rejects.toMatchObject({ status: 401 })
})

test('a failed task is reported with its reason', async ({ sim }) => {
  const client = new Client(connectionTo(sim))
  const { id } = await client.create({ ...ORDER, input: { prompt: '[[sim outcome=failed error=nsfw]]' } })
  await expect(client.finished(id)).rejects.toThrow(/failed/)
})

test('a task that does not end is canceled', async ({ sim }) => {
  sim.useScenario('stuck')
  const client = new Client(connectionTo(sim))
  const { id } = await client.create(ORDER)
  await expect(client.finished(id, 60_000)).rejects.toThrow('60 seconds')
  expect((await client.retrieve(id)).status).toBe('canceled')
})

test('a file whose URL has expired is fetched by a fresh one', async ({ sim }) => {
  const connection = connectionTo(sim)
  const client = new Client(connection)
  const path = join(await mkdtemp(join(tmpdir(), 'example-')), 'image.png')
  const task = await client.create(ORDER).then(({ id }) => client.finished(id))
  await sim.clock.advance('25h')
  await keep(client, connection, task, 0, path)
  expect((await readFile(path)).length).toBeGreaterThan(1_000)
})
