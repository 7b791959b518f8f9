import { expect, it } from 'vitest'
import { checkExpectations } from '../../../src/cli/expectations/check-expectations.js'
import { parseScenario } from '../../../src/scenario/read-text.js'

const SECRETS = `
dialects: { openrouter: { secret: whsec_b3duIHNlY3JldA==, previous_secret: whsec_b2xkIHNlY3JldA== } }
defaults: { delay: 5s }
`

/** Returns the unmet expectations of a scenario. */
function failuresOf(expectation: string, more = ''): Promise<string[]> {
  return checkExpectations(parseScenario(`${SECRETS}${more}\nexpect:\n  - ${expectation}`))
}

const create = (dialect: string, model = 'acme/video-1') =>
  `{ create: { dialect: ${dialect}, model: ${model}, input: { prompt: waves } }`

/** The start, parts of the log, and the end. */
const INTERIM_AND_END = `[${'{ event: processing, signature: right }, '.repeat(8)}{ event: succeeded, signature: right }]`

it.each([
  ['replicate', INTERIM_AND_END, 'Standard Webhooks'],
  ['openrouter', '[{ event: video.generation.completed, signature: right }]', 't=,v1='],
  ['tasks', '[{ event: task.succeeded, signature: right }]', 'a header of its own'],
  [
    'luma',
    '[{ event: dreaming, signature: unsigned }, { event: completed, signature: unsigned }]',
    'unsigned',
  ],
  ['runway', '[]', 'no webhooks'],
])('the webhooks of %s meet expectations: %s (%s)', async (dialect, webhooks) => {
  expect(await failuresOf(`${create(dialect)}, webhooks: ${webhooks} }`)).toEqual([])
})

it('tasksim validate polls in the words of the service', async () => {
  const at = 'at: { 0s: { state: dreaming }, 5s: { state: completed, assets: { video: "/mp4/" } } }'
  expect(await failuresOf(`${create('luma')}, ${at}, outcomes: { succeeded: { min: 1 } } }`)).toEqual([])
  expect(await failuresOf(`${create('luma')}, at: { 0s: { state: queued } } }`)).toEqual([
    'expect[0]: at 0s, state: expected "queued", got "dreaming"',
  ])
})

it.each(['wrong', 'missing', 'previous'])(
  'tasksim validate tells that a signature is %s',
  async (signature) => {
    const fault = `{ signature: ${signature === 'previous' ? 'previous_secret' : signature}, attempts: all }`
    const faults = `webhooks: { faults: [{ then: ${fault} }] }`
    const expected = (state: string) =>
      `${create('openrouter')}, webhooks: [{ event: video.generation.completed, signature: ${state} }] }`
    expect(await failuresOf(expected(signature), faults)).toEqual([])
    expect(await failuresOf(expected('right'), faults)).toEqual([
      `expect[0]: webhooks: expected video.generation.completed signature=right, got video.generation.completed signature=${signature}`,
    ])
  },
)

it('tasksim validate says that a dialect signs no webhooks', async () => {
  const expected = `${create('luma')}, webhooks: [dreaming, { event: completed, signature: right }] }`
  expect(await failuresOf(expected)).toEqual([
    'expect[0]: webhooks: the dialect luma signs no webhooks; expect `signature: unsigned`',
  ])
})

it('tasksim validate names the dialects if there is none with the name', async () => {
  await expect(failuresOf(`${create('lume')} }`)).rejects.toThrow(/There is no dialect "lume".*luma/)
})
