import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ControlError } from '../../src/client/index.js'
import { createSimulator, defineScenario, type ScenarioInput } from '../../src/index.js'
import { placeholdersOf } from '../../src/scenario/secrets/placeholders.js'
import { runs, sampleOf } from '../support/deep.js'

/** A part of a scenario with a text in a field that may contain a secret. */
type Place = (text: string) => ScenarioInput

const URL_OF_RECEIVER = 'http://127.0.0.1:9/other'

const SECRET_PLACES: Readonly<Record<string, Place>> = {
  'auth.keys[]': (text) => ({ auth: { keys: [text] } }),
  'auth.keys[].key': (text) => ({ auth: { keys: [{ key: text, credits: 5 }] } }),
  'webhooks.secret': (text) => ({ webhooks: { secret: text } }),
  'webhooks.previous_secret': (text) => ({ webhooks: { previous_secret: text } }),
  'webhooks.receivers[].secret': (text) => ({
    webhooks: { receivers: [{ url: URL_OF_RECEIVER, secret: text }] },
  }),
  'webhooks.receivers[].previous_secret': (text) => ({
    webhooks: { receivers: [{ url: URL_OF_RECEIVER, previous_secret: text }] },
  }),
  'dialects.NAME.secret': (text) => ({ dialects: { luma: { secret: text } } }),
  'dialects.NAME.previous_secret': (text) => ({ dialects: { luma: { previous_secret: text } } }),
}
const PATTERN_PLACES: Readonly<Record<string, Place>> = {
  'rate_limits[].key': (text) => ({ rate_limits: [{ key: text, requests: 1, per: '1s' }] }),
  'rules[].when.key': (text) => ({ rules: [{ when: { key: text }, then: { outcome: 'failed' } }] }),
  'faults[].when.key': (text) => ({ faults: [{ when: { key: text }, then: 503 }] }),
  'webhooks.faults[].when.key': (text) => ({
    webhooks: { faults: [{ when: { key: text }, then: 'lost' }] },
  }),
  'capacity.keys': (text) => ({ capacity: { keys: { [text]: { running: 1 } } } }),
}
const URL_PLACES: Readonly<Record<string, Place>> = {
  'webhooks.receivers[]': (text) => ({ webhooks: { receivers: [text as 'http://'] } }),
  'webhooks.receivers[].url': (text) => ({ webhooks: { receivers: [{ url: text }] } }),
  'webhooks.faults[].when.receiver': (text) => ({
    webhooks: { faults: [{ when: { receiver: text }, then: 'lost' }] },
  }),
}
const PLACES = { ...SECRET_PLACES, ...PATTERN_PLACES, ...URL_PLACES }

const OTHER_FIELDS: Readonly<Record<string, Place>> = {
  description: (text) => ({ description: text }),
  'defaults.output': (text) => ({ defaults: { output: { seen: text } } }),
}

const TOKEN = 'token-of-the-receiver'

/** A secret, the text that contains it, and the fields that may contain the text. */
const SECRETS: readonly [secret: string, text: string, places: Readonly<Record<string, Place>>][] = [
  ['qzx7', 'qzx7', { ...SECRET_PLACES, ...PATTERN_PLACES }],
  ['signing-secret-value-1', 'signing-secret-value-1', { ...SECRET_PLACES, ...PATTERN_PLACES }],
  ['q*x7', 'q*x7', SECRET_PLACES],
  ['sign*ing-secret-value', 'sign*ing-secret-value', SECRET_PLACES],
  ['http://qzx.test/path-that-is-secret', 'http://qzx.test/path-that-is-secret', SECRET_PLACES],
  [TOKEN, `http://127.0.0.1:9/hook?token=${TOKEN}`, URL_PLACES],
  ['qzx7', 'http://127.0.0.1:9/hook?token=qzx7', URL_PLACES],
]

const CASES = SECRETS.flatMap(([secret, text, places]) =>
  Object.entries(places).map(([origin, place]) => ({ secret, text, origin, place })),
)

type Way = 'replace by an object' | 'replace by a text' | 'patch'
const WAYS: readonly Way[] = ['replace by an object', 'replace by a text', 'patch']

function open(scenario: ScenarioInput) {
  const sim = createSimulator({ clock: 'manual', scenario: defineScenario(scenario) })
  const { control } = sim
  const change = (way: Way, input: ScenarioInput) => {
    if (way === 'patch') return control.scenario.patch(input)
    return control.scenario.replace(
      way === 'replace by a text' ? { text: JSON.stringify(input) } : { scenario: input },
    )
  }
  /** Returns all control API answers to a change and after it, including errors. */
  const answersTo = async (way: Way, input: ScenarioInput): Promise<string> => {
    const answers = [
      await said(change(way, input)),
      await said(control.scenario.preview({ scenario: input, tasks: 1, model: 'acme/image-1' })),
      await said(control.sandboxes.create({ scenario: input })),
      await said(control.scenario.get()),
      await said(control.state()),
      await said(control.receivers.list()),
      await said(control.deliveries.list()),
      await said(control.journal.list()),
      await said(control.findings()),
    ]
    sim.close()
    return answers.join('\n')
  }
  return { sim, answersTo, change }
}

async function said(call: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call)
  } catch (error) {
    if (error instanceof ControlError) return `${error.message} ${JSON.stringify(error.details)}`
    throw error
  }
}

describe('no answer of the control API shows a secret whose placeholder has moved', () => {
  it.each(sampleOf(1, CASES))('$text from $origin to any other field', async ({ secret, text, place }) => {
    for (const [name, target] of sampleOf(4, Object.entries({ ...PLACES, ...OTHER_FIELDS })))
      for (const way of WAYS) {
        const { sim, answersTo } = open(place(text))
        const placeholder = placeholdersOf(sim.scenario).of(text)
        expect(placeholder).toBeDefined()
        const answers = await answersTo(way, target(String(placeholder)))
        expect(answers.includes(secret) ? [way, name, answers] : 'no secret').toBe('no secret')
      }
  })

  it('after several moves at the same time, and after further moves', async () => {
    const step = fc.record({
      way: fc.constantFrom(...WAYS),
      target: fc.constantFrom(...Object.values(PLACES)),
      from: fc.nat(),
    })
    const start = fc.record({
      secrets: fc.subarray(CASES, { minLength: 1, maxLength: 4 }),
      steps: fc.array(step, { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(start, async ({ secrets, steps }) => {
        const scenario: ScenarioInput = Object.assign({}, ...secrets.map(({ place, text }) => place(text)))
        const held = secrets.filter(({ text }) => JSON.stringify(scenario).includes(text))
        const { sim, answersTo, change } = open(scenario)
        for (const { way, target, from } of steps) {
          const { text } = held[from % held.length] ?? { text: '' }
          const placeholder = placeholdersOf(sim.scenario).of(text)
          if (placeholder !== undefined) await said(change(way, target(placeholder)))
        }
        const answers = await answersTo('patch', { description: 'the end' })
        for (const { secret } of held) expect(answers).not.toContain(secret)
      }),
      { numRuns: runs(5, 15) },
    )
  })
})

describe('a placeholder', () => {
  const restores = async (place: Place, text: string, target: Place) => {
    const { sim, change } = open(place(text))
    onTestFinished(() => sim.close())
    await change('replace by a text', target(String(placeholdersOf(sim.scenario).of(text))))
    return JSON.stringify(sim.scenario.layer).includes(text)
  }

  it.each(Object.entries({ ...SECRET_PLACES, ...PATTERN_PLACES }))(
    'for a signing secret keeps its secret at %s',
    async (_, target) => {
      expect(
        await restores((text) => ({ webhooks: { secret: text } }), 'sign*ing-secret-value', target),
      ).toBe(true)
    },
  )

  it.each(Object.entries(URL_PLACES))('for a receiver keeps its secret at %s', async (_, target) => {
    const url = `http://127.0.0.1:9/hook?token=${TOKEN}`
    expect(await restores((text) => ({ webhooks: { receivers: [text as 'http://'] } }), url, target)).toBe(
      true,
    )
  })
})

describe('a secret that a patch has removed', () => {
  it('stays masked in the description, and in fields that are not masked by default', async () => {
    const key = 'sign*ing-secret-value'
    const { sim, answersTo } = open({
      description: `for ${key}`,
      auth: { keys: [key] },
      faults: [{ when: { key }, then: 503 }],
    })
    onTestFinished(() => sim.close())
    expect(await answersTo('patch', { auth: { keys: ['sk_live_of_another'] } })).not.toContain(key)
  })
})

describe('a secret in the URL of a receiver', () => {
  it.each([
    ['the secret alone', TOKEN],
    ['the URL as it is written', `http://127.0.0.1:9?token=${TOKEN}`],
    ['the secret with an escape', 'token%2Dof%2Dthe%2Dreceiver'],
    ['the URL with a further parameter', `http://127.0.0.1:9/?id=7&token=${TOKEN}`],
  ])('is masked in comments and other texts: %s', async (_, written) => {
    const { sim } = open({})
    onTestFinished(() => sim.close())
    const text = `# see ${written}\ndescription: see ${written}\nwebhooks: { receivers: ["http://127.0.0.1:9?token=${written.startsWith('token%') ? written : TOKEN}"] }`
    await sim.control.scenario.replace({ text })
    const shown = JSON.stringify([await sim.control.scenario.get(), await sim.control.state()])
    expect(shown).not.toContain(TOKEN)
    expect(shown).not.toContain('token%2Dof')
  })
})
