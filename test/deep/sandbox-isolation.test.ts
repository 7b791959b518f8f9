import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/index.js'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { QUICK } from '../control/describe-clients.js'
import { runs } from '../support/deep.js'
import { json } from '../support/json.js'

const SANDBOXES = runs(3, 50)
const ROUNDS = runs(2, 4)

it('sandboxes stay separate during concurrent use', async () => {
  const delivered = new Map<string, string[]>()
  const sim = createSimulator({
    scenario: QUICK,
    clock: 'manual',
    transport: async ({ url, body }) => {
      const { task } = JSON.parse(new TextDecoder().decode(body))
      delivered.set(url, [...(delivered.get(url) ?? []), task.id])
      return { status: 204 }
    },
  })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(() => {
    sim.close()
    return close()
  })
  const control = connect(baseUrl)

  const worker = async (number: number) => {
    const { id, api_key: key } = await control.sandboxes.create({ name: `worker ${number}` })
    const own = control.sandboxes.control(id)
    const url = `http://worker-${number}.invalid/hook`
    await own.receivers.add({ url })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const ids: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const body = JSON.stringify({ model: 'm', input: { number, round } })
      const task = await json(fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body }))
      ids.push(task.id)
      await own.clock.advance(`${number + 1}s`)
      expect((await json(fetch(`${baseUrl}/tasks/${task.id}`, { headers }))).status).toBe('succeeded')
    }
    return { id, own, url, ids, elapsed: (number + 1) * ROUNDS }
  }

  const workers = await Promise.all(Array.from({ length: SANDBOXES }, (_, number) => worker(number)))
  const all = new Set(workers.flatMap(({ ids }) => ids))
  expect(all.size).toBe(SANDBOXES * ROUNDS)
  for (const { own, url, ids, elapsed } of workers) {
    const newestFirst = [...ids].reverse()
    expect((await own.clock.read()).now).toBe(new Date(Date.UTC(2026, 0, 1, 0, 0, elapsed)).toISOString())
    expect((await own.tasks.list()).data.map(({ id }) => id)).toEqual(newestFirst)
    expect(delivered.get(url)).toEqual(ids)
    expect((await own.deliveries.list()).data.map(({ task_id: id }) => id)).toEqual(newestFirst)
    const { data } = await own.journal.list({ limit: 1_000 })
    for (const entry of data) if ('task_id' in entry) expect(ids).toContain(entry.task_id)
    expect(data.filter(({ type }) => type === 'request')).toHaveLength(ROUNDS * 2)
    expect(await own.state()).toMatchObject({
      requests: ROUNDS * 2,
      tasks: { succeeded: ROUNDS, processing: 0 },
    })
    expect(await own.metrics()).toContain(`tasksim_tasks{status="succeeded"} ${ROUNDS}\n`)
  }
  expect(delivered.size).toBe(SANDBOXES)
  expect(await control.state()).toMatchObject({
    tasks: { succeeded: 0 },
    requests: 0,
    sandboxes: SANDBOXES,
    journal: 0,
  })
})
