import { afterAll, expect, test } from 'vitest'
import { connect } from '../src/client/index.js'
import { UsageError } from '../src/engine/errors.js'
import { createApp, listen } from '../src/hosts/express/index.js'
import { handlers } from '../src/hosts/msw/index.js'
import { createSimulator, parseScenario } from '../src/index.js'

const sim = createSimulator({ clock: 'manual' })
afterAll(() => sim.close())

/** Calls that the compiler rejects, for programs in JavaScript. */
const loose = { sim, connect, createApp, handlers, listen, parseScenario } as unknown as {
  // biome-ignore lint/suspicious/noExplicitAny: it passes values of any type
  readonly [name: string]: any
}

const CIRCULAR: { self?: object } = {}
CIRCULAR.self = CIRCULAR

const MISUSES: Readonly<Record<string, readonly [misuse: () => unknown, message: string]>> = {
  'a listener to an unknown event': [
    () => loose.sim.on('task.finnished', () => {}),
    'on() knows no event "task.finnished": did you mean `task.finished`?',
  ],
  'an event without a listener': [
    () => loose.sim.on('task.finished'),
    'on() expects a function, got undefined',
  ],
  'an observation in one object': [
    () => loose.sim.observe({ what: 'output.kept', taskId: 'task_1' }),
    'observe() knows no action {"what":"output.kept","taskId":"task_1"}: expected `webhook.processed` or `output.kept`',
  ],
  'an observation of a task that is not JSON': [
    () => loose.sim.observe('output.kept', { taskId: 5n }),
    'observe() expects `taskId` to be a string, got 5',
  ],
  'an app of an object that refers to itself': [
    () => loose.createApp(CIRCULAR),
    'createApp() expects a simulator, got an object',
  ],
  'handlers below nothing': [
    () => loose.handlers(sim, { baseUrl: null }),
    'Expected `baseUrl` to be a URL, got null',
  ],
  'an unknown observation': [
    () => loose.sim.observe('webhook.procesed', { taskId: 'task_1' }),
    'observe() knows no action "webhook.procesed": did you mean `webhook.processed`?',
  ],
  'an observation without its task': [
    () => loose.sim.observe('output.kept', { task: 'task_1' }),
    'observe() has no option `task`: did you mean `taskId`?',
  ],
  'an observation of a task that is not a string': [
    () => loose.sim.observe('output.kept', { taskId: 5 }),
    'observe() expects `taskId` to be a string, got 5',
  ],
  'a duration in place of options': [
    () => loose.sim.clock.runUntilIdle('30d'),
    'runUntilIdle() expects an object with options, got "30d"',
  ],
  'an unknown option of an advance': [
    () => loose.sim.clock.runUntilIdle({ limits: '30d' }),
    'runUntilIdle() has no option `limits`: did you mean `limit`?',
  ],
  'an unknown option of a verdict': [
    () => loose.sim.verdict({ finall: true }),
    'verdict() has no option `finall`: did you mean `final`?',
  ],
  'an unknown option of a scenario change': [
    () => loose.sim.useScenario('flaky', { keeep: true }),
    'useScenario() has no option `keeep`: did you mean `keep`?',
  ],
  'handlers without a simulator': [() => loose.handlers(), 'handlers() expects a simulator, got undefined'],
  'handlers with options only': [
    () => loose.handlers({ dialect: 'luma' }),
    'handlers() expects a simulator, got {"dialect":"luma"}',
  ],
  'a server without a simulator': [
    () => loose.listen({ port: 0 }),
    'listen() expects a simulator, got {"port":0}',
  ],
  'an app without a simulator': [() => loose.createApp(), 'createApp() expects a simulator, got undefined'],
  'handlers below a path': [
    () => loose.handlers(sim, { baseUrl: '/api/v1' }),
    'Expected `baseUrl` to be a URL, got "/api/v1"',
  ],
  'a connection to no URL': [
    () => loose.connect(undefined),
    'Expected the URL of a server, such as http://127.0.0.1:4010, got undefined',
  ],
  'a connection with a token that is not a string': [
    () => loose.connect('http://127.0.0.1:4010', { token: 5 }),
    'Expected `token` to be a string, got another type: number',
  ],
  'a scenario in bytes': [
    () => loose.parseScenario(Buffer.from('extends: flaky')),
    'parseScenario() expects YAML or JSON as text, got an object',
  ],
}

test.each(Object.entries(MISUSES))('%s is a clear error', async (_, [misuse, message]) => {
  await expect(async () => misuse()).rejects.toThrow(new UsageError(message))
})

test('a URL may be an object', () => {
  expect(() => connect(new URL('http://127.0.0.1:4010'))).not.toThrow()
  expect(() => loose.handlers(sim, { baseUrl: new URL('https://api.example.com/api/v1') })).not.toThrow()
})

test.each([undefined, 5, () => {}, Symbol('event')])('%s is not an event', (name) => {
  expect(() => loose.sim.on(name, () => {})).toThrow(/^on\(\) knows no event .*: expected `task\.created`, /)
})
