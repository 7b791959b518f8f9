import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseScenario, type ScenarioInput, SHIPPED_NAMES } from '../../src/index.js'
import { shippedScenario } from '../../src/scenario/shipped.js'
import { folderWith } from '../cli/run.js'
import { runInProcess } from '../cli/run-in-process.js'
import { sampleOf } from '../support/deep.js'

const folder = new URL('../../scenarios/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(`${name}.yaml`, folder), 'utf8')

/** Returns the lines that `tasksim validate` prints about a scenario. */
async function validate(scenario: ScenarioInput | string): Promise<string[]> {
  const text = typeof scenario === 'string' ? scenario : JSON.stringify(scenario)
  const running = runInProcess(folderWith({ 'a.yaml': text }), ['validate', 'a.yaml'])
  await running.ended
  return running.stdout().trimEnd().split('\n')
}

test('every file in scenarios/ is shipped, and nothing else', () => {
  const files = readdirSync(folder).map((file) => file.replace(/\.yaml$/, ''))
  expect([...SHIPPED_NAMES].sort()).toEqual(files.sort())
})

async function keepsItsWord(name: string): Promise<void> {
  expect(parseScenario(textOf(name)).description).not.toBe('')
  expect(await validate(textOf(name))).toEqual([
    expect.stringMatching(/^a\.yaml: valid \(\d+ expectations? met\)$/),
  ])
}

test.each(sampleOf(4, SHIPPED_NAMES))('%s keeps its expectations', keepsItsWord)

test.each(SHIPPED_NAMES)('the shipped copy of %s equals its file', (name) => {
  const scenario = parseScenario(textOf(name))
  const { expect: _, ...layer } = scenario.layer
  const sources = scenario.sources.map(({ lines: _, ...source }) => ({ ...source, name, isShipped: true }))
  const base = name === 'default' ? [] : shippedScenario('default').sources
  const rest = scenario.layer.extends === undefined ? [] : base
  expect(shippedScenario(name)).toEqual({
    ...{ ...scenario, layer, name, text: undefined, expect: [] },
    sources: [...sources.slice(0, 1), ...rest],
  })
})

const CREATE = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }

test.each<[string, NonNullable<ScenarioInput['expect']>[number], RegExp]>([
  [
    'status',
    { create: CREATE, at: { '2s': { status: 'failed' } } },
    /^a\.yaml: expect\[0\]: at 2s, status: expected "failed", got "succeeded"$/,
  ],
  [
    'time',
    { create: CREATE, at: { '1s': { status: 'succeeded' } } },
    /^a\.yaml: expect\[0\]: at 1s, status: expected "succeeded", got "processing"$/,
  ],
  [
    'nothing',
    { create: CREATE, at: { '2s': { output: null } } },
    /at 2s, output: expected nothing, got \{"images"/,
  ],
  [
    'field that is not there',
    { create: CREATE, at: { '0s': { output: { images: [] } } } },
    /at 0s, output: expected .*, got nothing/,
  ],
  [
    'nested field',
    { create: CREATE, at: { '2s': { output: { images: ['/\\.gif/'] } } } },
    /at 2s, output\.images\.0: expected .*gif.*, got "http/,
  ],
  [
    'number',
    { create: CREATE, at: { '2s': { cost_usd: 0.05 } } },
    /at 2s, cost_usd: expected 0.05, got 0.04/,
  ],
  [
    'webhook',
    { create: CREATE, webhooks: ['task.failed'] },
    /^a\.yaml: expect\[0\]: webhooks: expected task.failed, got task.succeeded$/,
  ],
  ['silence', { create: CREATE, webhooks: [] }, /webhooks: expected none, got task.succeeded/],
  [
    'share',
    { create: CREATE, repeat: 10, outcomes: { failed: { min: 0.5, max: 1 } } },
    /failed: expected a share of 0.5 to 1, got 0$/,
  ],
])('a scenario with a wrong expectation of %s fails', async (_, expectation, message) => {
  expect(await validate({ extends: 'default', expect: [expectation] })).toEqual([
    expect.stringMatching(message),
  ])
})

test('every failed expectation is reported with its path', async () => {
  const wrong = { create: CREATE, at: { '2s': { status: 'failed' } } }
  const right = { create: CREATE, at: { '2s': { status: 'succeeded' } } }
  expect(await validate({ extends: 'default', expect: [wrong, right, wrong] })).toEqual([
    expect.stringMatching(/^a\.yaml: expect\[0\]: /),
    expect.stringMatching(/^a\.yaml: expect\[2\]: /),
  ])
})

test('rejected create requests are reported with their reasons, and count as requested', async () => {
  const outcomes = { succeeded: { min: 0.95 } }
  const scenario: ScenarioInput = {
    extends: 'rate-limited',
    expect: [{ create: CREATE, repeat: 500, outcomes }],
  }
  expect(await validate(scenario)).toEqual([
    expect.stringMatching(
      /^a\.yaml: expect\[0\]: 490 of 500 create requests were rejected: 490 with 429 rate_limited \(".*creations.*"\)\. Space them out with `every`, or state the statuses under `answers` or the number of `tasks`$/,
    ),
    'a.yaml: expect[0]: succeeded: expected a share of 0.95 to 1, got 0.02',
  ])
})

test.each<[string, ScenarioInput, string]>([
  ['that is lost', { extends: 'lost-create-response' }, 'no response'],
  ['whose answer is not JSON', { faults: [{ then: { status: 503, body: 'html' } }] }, '503'],
  [
    'for an unknown model',
    { api: { unknown_models: 'reject' } },
    '404 model_not_found \\("There is no model \\"acme/image-1\\"\\. Use .*"\\)',
  ],
])('a single create request %s is reported', async (_, more, reason) => {
  const scenario: ScenarioInput = {
    ...more,
    expect: [{ create: CREATE, at: { '2s': { status: 'succeeded' } } }],
  }
  expect(await validate(scenario)).toEqual([
    expect.stringMatching(
      `^a\\.yaml: expect\\[0\\]: 1 of 1 create request was rejected: 1 with ${reason}\\. State the statuses under \`answers\``,
    ),
    'a.yaml: expect[0]: at 2s, status: expected "succeeded", got nothing',
  ])
})

test.each<NonNullable<ScenarioInput['expect']>[number]>([
  { create: CREATE, repeat: 12, tasks: 10 },
  { create: CREATE, repeat: 12, tasks: 10, outcomes: { succeeded: { min: 0.8, max: 0.9 } } },
  { create: CREATE, repeat: 40, every: '6s', outcomes: { succeeded: { min: 1 } } },
])('an allowed rejection is not a mistake: %j', async (expectation) => {
  expect(await validate({ extends: 'rate-limited', expect: [expectation] })).toEqual([
    'a.yaml: valid (1 expectation met)',
  ])
})
