import { expect, test } from 'vitest'
import { connect } from '../src/client/index.js'
import { createApp, listen } from '../src/hosts/express/index.js'
import { handlers } from '../src/hosts/msw/index.js'
import { createSimulator, SHIPPED_NAMES, UsageError } from '../src/index.js'
import { simTest } from '../src/vitest/index.js'

const sim = createSimulator()

/** Functions that get an option with a mistyped name, as JavaScript allows. */
const MISTYPED: Record<string, [call: (options: never) => unknown, option: string, meant: string]> = {
  createSimulator: [createSimulator, 'scenaro', 'scenario'],
  createSandbox: [(options) => sim.createSandbox(options), 'speeed', 'speed'],
  handlers: [(options) => handlers(sim, options), 'baseURL', 'baseUrl'],
  createApp: [(options) => createApp(sim, options), 'override', 'overrides'],
  listen: [(options) => listen(sim, options), 'prot', 'port'],
  connect: [(options) => connect('http://127.0.0.1:4010', options), 'tokn', 'token'],
  simTest: [simTest, 'baseurl', 'baseUrl'],
}

test.each(Object.entries(MISTYPED))(
  '%s() rejects an unknown option',
  async (name, [call, option, suggestion]) => {
    const message = `${name}() has no option \`${option}\`: did you mean \`${suggestion}\`?`
    await expect(async () => call({ [option]: 1 } as never)).rejects.toThrow(new UsageError(message))
  },
)

test.each([
  [{ clock: 'manual', speed: 60 }, 'Expected `speed` to be omitted with a manual clock, got 60'],
  [{ start: 0 }, 'Expected `start` to be omitted without a manual clock, got 0'],
] as const)('contradictory options are rejected: %j', (options, message) => {
  expect(() => createSimulator(options)).toThrow(new UsageError(message))
  expect(() => sim.createSandbox(options)).toThrow(new UsageError(message))
})

const HOOK = 'http://127.0.0.1:3000/hook'

test.each([
  [{ url: HOOK, ordered: true }, 'an object with `url` and `ordered`'],
  [{ url: HOOK, handle: HOOK }, 'an object with `url` and `handle`'],
  [
    { url: HOOK, handle: () => new Response(), everyTask: 1 },
    'an object with `url`, `handle` and `everyTask`',
  ],
  [{}, 'an empty object'],
  [4010, '4010'],
  [null, 'null'],
])('a receiver of another form is rejected: %j', (receiver, given) => {
  expect(() => createSimulator({ receivers: [receiver as never] })).toThrow(
    new UsageError(
      `Expected a receiver to be a URL, a function, or { url, handle } with a function and perhaps \`everyTask: true\`, got ${given}. ` +
        'Other settings of a receiver belong in `webhooks.receivers` of the scenario.',
    ),
  )
})

test.each([
  ['seed', {}, 'a string or a finite number', '{}'],
  ['seed', Number.NaN, 'a string or a finite number', 'NaN'],
  ['webhookSecret', null, 'a string that is not empty', 'null'],
  ['webhookSecret', '', 'a string that is not empty', '""'],
  ['webhookSecret', ['whsec_private'], 'a string that is not empty', '"***"'],
  ['webhookAllow', null, 'a list of patterns of URLs', 'null'],
  ['webhookAllow', 'http://*', 'a list of patterns of URLs', '"http://*"'],
  ['transport', 5, 'a function', '5'],
])('a setting with a value of another type is rejected: %s %j', (name, value, expected, given) => {
  expect(() => createSimulator({ [name]: value } as never)).toThrow(
    new UsageError(`Expected \`${name}\` to be ${expected}, got ${given}`),
  )
})

const UNUSABLE_INSTANTS: readonly unknown[] = [
  ...[Number.NaN, Infinity, 8.64e15, -8.64e15, 253_402_300_800_000, 1n, null, true, [2026], {}, ''],
  ...['2026', 'Jan 1 2026', '2026-02-30', '2026-01-01 00:00', '+002026-01-01', '9999-12-31T23:59:59-14:00'],
  ...['2026-06-30T23:59:60Z', new Date(Number.NaN), new Date(8.64e15)],
]

test.each(UNUSABLE_INSTANTS.map((instant) => [instant]))('%o is not an instant', async (instant) => {
  const form = 'an instant such as 2026-01-01T00:00:00Z, in the years 1 to 9999'
  expect(() => createSimulator({ clock: 'manual', start: instant as never })).toThrow(
    `Expected \`start\` to be ${form}, got `,
  )
  const { clock } = createSimulator({ clock: 'manual' })
  await expect(clock.advanceTo(instant as never)).rejects.toThrow(`expected ${form}`)
  await expect(clock.advance(instant as never)).rejects.toThrow('Expected a duration such as')
})

test.each([
  ['0001-01-01'],
  ['2026-01-01T00:00:00'],
  ['2026-01-01T02:00:00+02:00'],
  ['9999-12-31T23:59:59.999Z'],
])('a clock starts at %s in every time zone', (start) => {
  const now = createSimulator({ clock: 'manual', start }).clock.now()
  expect(now).toBe(Date.parse(start.replace(/(:00)$/, '$1').replace(/T00:00:00$/, 'T00:00:00Z')))
})

test.each([[null], [5], [[]], ['flaky']])('options that are not an object are rejected: %j', (options) => {
  const message = `createSimulator() expects an object with options, got ${JSON.stringify(options)}`
  expect(() => createSimulator(options as never)).toThrow(new UsageError(message))
  expect(() => handlers(sim, options as never)).toThrow('handlers() expects an object with options')
})

test('an object that is not a complete scenario is rejected with the function that completes it', () => {
  const message =
    'Expected `scenario` to be the name of a shipped scenario, or a result of `defineScenario` or `parseScenario`, ' +
    'got an object. Write: defineScenario({ ... })'
  const plain = { extends: 'instant' } as never
  expect(() => sim.useScenario(plain)).toThrow(new UsageError(message))
  expect(() => sim.createSandbox({ scenario: plain })).toThrow(new UsageError(message))
  expect(() => createSimulator({ scenario: 5 as never })).toThrow('got 5')
})

test('a sandbox can have a shipped scenario, by its name', () => {
  expect(sim.createSandbox({ scenario: 'instant' }).sim.scenario.name).toBe('instant')
})

test('a closed simulator delays no answer, because its clock has stopped', async () => {
  const closed = createSimulator()
  const before = closed.time.pause(60_000)
  closed.close()
  await before
  await closed.time.pause(60_000)
})

test('a sandbox that cannot be built takes no memory', () => {
  const before = sim.memory.usage().sandboxes
  expect(() => sim.createSandbox({ speed: 2, rootDialect: 'nobody' } as never)).toThrow()
  const broken = { ...createSimulator().scenario, dialects: { nobody: {} } } as never
  expect(() => sim.createSandbox({ scenario: broken })).toThrow('nobody')
  expect(sim.memory.usage().sandboxes).toBe(before)
})

test.each([[undefined], [null], [{}]])('the clock rejects a duration that is none: %j', async (duration) => {
  await expect(sim.clock.advance(duration as never)).rejects.toThrow(UsageError)
})

test('a sandbox has the clock mode of its simulator by default', () => {
  const manual = createSimulator({ clock: 'manual' })
  expect(() => manual.createSandbox({ speed: 2 })).toThrow('`speed` to be omitted with a manual clock')
  expect(manual.createSandbox({ clock: 'real', speed: 2 }).sim.clock.speed).toBe(2)
})

test('an unknown option without a similar name is rejected with the list of all options', () => {
  expect(() => connect('http://127.0.0.1:4010', { verbose: true } as never)).toThrow(
    'connect() has no option `verbose`: expected `token`',
  )
})

test.each(['./x.yaml', 'scenarios/mine', 'mine.YML', 'C:\\tests\\mine.json'])(
  'for the path of a file, %s, the error shows the code that reads it',
  (path) => {
    const call = `parseScenario(await readFile(${JSON.stringify(path)}, "utf8"))`
    expect(() => createSimulator({ scenario: path })).toThrow(`Write: scenario: ${call}`)
    expect(() => sim.useScenario(path)).toThrow(UsageError)
  },
)

test.each(['extends: instant', 'extends: instant\nseed: 3\n', '{"seed": 3}', 'defaults:'])(
  'for the text of a scenario, %j, the error shows the code that parses it',
  (text) => {
    expect(() => createSimulator({ scenario: text })).toThrow('Write: scenario: parseScenario(text)')
  },
)

test('any other string is a scenario name, and every shipped scenario is found', () => {
  expect(() => createSimulator({ scenario: 'instnt' })).toThrow('did you mean `instant`?')
  for (const scenario of SHIPPED_NAMES) expect(createSimulator({ scenario }).scenario.name).toBe(scenario)
})
