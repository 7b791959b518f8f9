import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createRequest } from '../../src/dialects/requests/create-request.js'
import { exampleOrder } from '../../src/dialects/requests/example-order.js'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, type ScenarioInput } from '../../src/index.js'
import { created } from '../dialects/created.js'
import { deepTest } from '../support/deep.js'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const KEY = 'sk_live_local'
const scenario = { defaults: { delay: { median: '20s', p95: '60s' }, failures: { rate: 0.2 } } } as const

/** Starts a service with 102 ended tasks. @returns its origin */
async function startService(name: string, faults: ScenarioInput['faults'] = []): Promise<string> {
  const sim = createSimulator({ clock: 'manual', scenario: { ...scenario, faults } })
  const dialect = await sim.dialects.load(name)
  const order = { ...exampleOrder(dialect), webhookUrl: undefined }
  for (let number = 0; number < 102; number++) {
    const input = { ...order.input, note: String(number) }
    await created(
      sim,
      createRequest(dialect, { ...order, input }, { origin: 'http://127.0.0.1:4010', key: KEY }),
    )
    await sim.clock.advance('10s')
  }
  await sim.clock.runUntilIdle()
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(close)
  return new URL(baseUrl).origin
}

async function learn(folder: string, ...args: string[]) {
  const running = runInProcess(folder, ['learn', ...args, '--key', KEY])
  return { status: await running.ended, stdout: running.stdout(), stderr: running.stderr() }
}

deepTest.each([
  ['tasks', '/api/v1', 'p50'],
  ['replicate', '/replicate/v1', 'p50'],
  ['assemblyai', '/assemblyai', 'p50'],
])('tasksim learn learns from the list of %s', async (name, path, learned) => {
  const folder = folderWith({})
  const origin = await startService(name)
  const { status, stdout, stderr } = await learn(folder, origin + path, '--dialect', name, '--out', 's.yaml')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(new RegExp(`102 +${learned}`))
  expect(existsSync(join(folder, 's.yaml.partial.jsonl'))).toBe(false)
  const validation = runInProcess(folder, ['validate', 's.yaml'])
  expect(await validation.ended, validation.stderr()).toBe(0)
})

it('tasksim learn continues an interrupted run without requesting the same pages again', async () => {
  const folder = folderWith({})
  const origin = await startService('tasks', [
    { when: { operation: 'tasks.list', nth: 2 }, then: { status: 400 } },
  ])
  const first = await learn(folder, origin, '--out', 's.yaml')
  expect([first.status, first.stderr]).toEqual([2, expect.stringContaining('was rejected with 400')])
  const partial = join(folder, 's.yaml.partial.jsonl')
  expect(statSync(partial).mode & 0o077).toBe(0)
  writeFileSync(partial, '{"tasksim_history":1,"da', { flag: 'a' })
  const second = await learn(folder, origin, '--out', 's.yaml')
  expect([second.status, second.stderr]).toEqual([0, expect.stringContaining('continues after the pages in')])
  expect(second.stdout).toMatch(/102 +p50/)
})

deepTest('tasksim learn continues after Ctrl-C with the pages that it has not read', async () => {
  const folder = folderWith({})
  const origin = await startService('tasks', [
    { when: { operation: 'tasks.list', nth: 2 }, then: { hang: true } },
  ])
  const args = ['learn', origin, '--out', 's.yaml', '--key', KEY]
  const first = start(folder, args)
  const partial = join(folder, 's.yaml.partial.jsonl')
  const isKept = () => existsSync(partial) && readFileSync(partial, 'utf8').endsWith('\n')
  await expect.poll(isKept).toBe(true)
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(130)
  expect(first.stderr()).toContain(
    'tasksim learn: interrupted. The tasks read so far are in s.yaml.partial.jsonl. Run the same command again to continue.',
  )
  const second = start(folder, args)
  expect([await second.ended, second.stderr()]).toEqual([0, expect.stringContaining('continues after')])
  expect(second.stdout()).toMatch(/102 +p50/)
  expect(existsSync(partial)).toBe(false)
})

deepTest('tasksim learn keeps the tasks in a file that can be learned from again', async () => {
  const folder = folderWith({})
  const origin = await startService('replicate')
  await learn(
    folder,
    `${origin}/replicate`,
    '--dialect',
    'replicate',
    '--history',
    'h.jsonl',
    '--limit',
    '50',
  )
  const again = runInProcess(folder, ['learn', 'h.jsonl', '--dialect', 'replicate', '--out', 's.yaml'])
  expect([await again.ended, again.stderr()]).toEqual([0, ''])
  expect(readFileSync(join(folder, 's.yaml'), 'utf8')).not.toContain(KEY)
})

it.each([
  [['--dialect', 'runway'], 'The API of runway does not list tasks.'],
  [['--limit', '0'], '--limit must be a whole number from 1 up; got 0.'],
  [['--since', 'soon'], '--since must be a time such as 2026-01-31'],
])('%j is rejected', async (args, message) => {
  const { status, stderr } = await learn(folderWith({}), 'http://127.0.0.1:9', ...args)
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
})
