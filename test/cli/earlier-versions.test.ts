import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createSimulator, parseRecording } from '../../src/index.js'
import { readStateFile } from '../../src/ledger/state-file.js'
import { ask } from '../ledger/use-state.js'
import { runInProcess } from './run-in-process.js'

/** Files that earlier versions have written: `tasksim init`, `learn`, `record`, `export`; and a scenario by hand. */
const FIXTURES = fileURLToPath(new URL('../../fixtures/versions/', import.meta.url))

const files = readdirSync(FIXTURES).flatMap((version) =>
  readdirSync(FIXTURES + version).map((name) => [version, name] as const),
)
const read = (path: string) => readFileSync(FIXTURES + path, 'utf8')

it.each(files.filter(([, name]) => name !== 'state.jsonl'))(
  'the validation accepts a file of version %s: %s',
  async (version, name) => {
    const running = runInProcess(FIXTURES + version, ['validate', name])
    await running.ended
    expect(running.stdout()).toMatch(new RegExp(`^${name}: valid`))
  },
)

it('a recording of version 0.1.0 answers with the recorded task', async () => {
  const text = read('0.1.0/recording.jsonl')
  const sim = createSimulator({ scenario: await parseRecording(text), clock: 'manual' })
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'a lighthouse' } })
  const { body: task } = await ask(sim, 'POST', '/v1/tasks', { body })
  expect(text).toContain(`"id":"${JSON.parse(String(task)).id}"`)
  sim.close()
})

it.each(['0.1.0'])('the import rejects a state of version %s, and says what to do', (version) => {
  expect(() => readStateFile(read(`${version}/state.jsonl`))).toThrow(
    'Line 1 of the state has version 1, but this tasksim reads version 2. An earlier tasksim wrote it. Continue with that tasksim, or export the state of a new server.',
  )
})
