import { expect, test } from 'vitest'
import { parseScenario, type ScenarioInput } from '../../src/index.js'
import type { ObservedTask } from '../../src/record/history/observed-task.js'
import { learn } from '../../src/record/learn/learn.js'
import { writeScenario } from '../../src/record/scenario/write-scenario.js'
import { piecesOf } from '../record/histories.js'
import { playTraffic } from '../record/learn/played-traffic.js'
import { record } from '../record/replay/real-service.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const URL_OF_TASKS = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

const UNCHANGED: ScenarioInput['defaults'] = { delay: { min: '15s', max: '25s' } }
/** By 20 %. */
const SLOWER: ScenarioInput['defaults'] = { delay: { min: '18s', max: '30s' } }

/** A recording of a client that polls each of 120 tasks once, after its end. */
async function recordingOf(seed: string, defaults: ScenarioInput['defaults']): Promise<string> {
  const real = record('tasks', { seed, scenario: { defaults: { ...defaults, price: { per_task: 0.03 } } } })
  const ids: string[] = []
  for (let index = 0; index < 120; index++) {
    const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: `${index}` } })
    const response = await real.send(URL_OF_TASKS, { method: 'POST', headers: HEADERS, body })
    ids.push((await response.json()).id)
    await real.sim.clock.advance('5s')
  }
  await real.sim.clock.advance('10m')
  for (const id of ids) await real.send(`${URL_OF_TASKS}/${id}`, { headers: HEADERS })
  return real.text()
}

test('--check accepts a recording of an unchanged service, and rejects one of a slower service', async () => {
  const folder = folderWith({
    'before.jsonl': await recordingOf('before', UNCHANGED),
    'after.jsonl': await recordingOf('after', UNCHANGED),
    'slower.jsonl': await recordingOf('slower', SLOWER),
  })
  expect(await runInProcess(folder, ['learn', 'before.jsonl', '--out', 'learned.yaml']).ended).toBe(0)
  const same = runInProcess(folder, ['learn', 'after.jsonl', '--check', 'learned.yaml'])
  expect([await same.ended, same.stdout()]).toEqual([0, expect.stringContaining('learned.yaml agrees with')])
  const slower = runInProcess(folder, ['learn', 'slower.jsonl', '--check', 'learned.yaml'])
  expect([await slower.ended, slower.stdout()]).toEqual([
    1,
    expect.stringMatching(/acme\/image-1: delay: was .*; is /),
  ])
})

test('rate limits, faults and retries that were learned are a valid scenario with a preview', async () => {
  const scenario: ScenarioInput = {
    defaults: { delay: '10s' },
    rate_limits: [{ requests: 20, per: '1m', operation: 'tasks.create' }],
    faults: [{ when: { operation: 'tasks.retrieve', rate: 0.1 }, then: { status: 503, retry_after: '5s' } }],
    webhooks: { retries: ['2s', '30s', '5m'], faults: [{ then: { delay: { min: '3s', max: '5s' } } }] },
  }
  const traffic = await playTraffic({ scenario, every: 1_000, requests: 600 })
  const task: ObservedTask = {
    id: 'task_1',
    dialect: 'tasks',
    model: 'acme/image-1',
    status: 'succeeded',
    createdAt: Date.UTC(2026, 10, 1),
  }
  const text = writeScenario({ ...(await learn(piecesOf(task))), traffic }, 'a client')
  expect(parseScenario(text).layer).toMatchObject({
    rate_limits: [{ requests: 20, operation: 'tasks.create' }],
    faults: [{ when: { operation: 'tasks.retrieve' }, then: { status: 503 } }],
    webhooks: { retries: [2_000, 30_000, 300_000] },
  })
  const folder = folderWith({ 'learned.yaml': text })
  const validated = runInProcess(folder, ['validate', 'learned.yaml'])
  expect([await validated.ended, validated.stdout()]).toEqual([0, expect.stringContaining('valid')])
  const previewed = runInProcess(folder, ['preview', 'learned.yaml'])
  expect([await previewed.ended, previewed.stdout()]).toEqual([0, expect.stringContaining('429')])
})
