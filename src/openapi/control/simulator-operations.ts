import type { Descriptions } from '../description.js'
import {
  anyObject,
  count,
  duration,
  instant,
  listOf,
  name,
  number,
  object,
  oneOf,
  ref,
  text,
  word,
} from '../schema.js'
import { BAD_BODY } from './parameters.js'

const CHOICE = {
  anyOf: [
    object({ name: text('One that is shipped', { examples: ['flaky'] }) }),
    object({ text: text('A scenario in YAML or JSON') }),
    object({ scenario: anyObject('A scenario, as docs/reference/scenario.md has it') }),
  ],
}

const FLAKY = {
  name: 'flaky',
  description: 'one task in five fails, with different errors',
  text: 'description: ...',
  shipped: ['default', 'flaky'],
}

const NOW = {
  now: '2026-01-01T00:02:00.000Z',
  mode: 'manual',
  speed: 0,
  next: null,
}

const RUNNING = {
  mode: word('How time runs from now on', ['real', 'manual']),
  speed: number(
    'Seconds of service that pass in a second, 1 unless given; only with a clock that is `real` or becomes so',
    { exclusiveMinimum: 0, maximum: 1_000_000 },
  ),
}

const TURN = oneOf(
  'Where to move, and how time runs from now on; at least one of them',
  object({ advance: duration('Move by this much'), 'mode?': RUNNING.mode, 'speed?': RUNNING.speed }),
  object({
    to: instant('Move to an instant that is not over'),
    'mode?': RUNNING.mode,
    'speed?': RUNNING.speed,
  }),
  object({
    run_until_idle: {
      anyOf: [{ const: true }, duration('Not further than this')],
      description: 'Move until nothing is planned any more',
    },
    'mode?': RUNNING.mode,
    'speed?': RUNNING.speed,
  }),
  object({ 'mode?': RUNNING.mode, 'speed?': RUNNING.speed }, { minProperties: 1 }),
)

/** What turns the simulator as a whole. */
export const SIMULATOR_OPERATIONS: Descriptions = {
  'sim.health': {
    path: '/_sim/health',
    tag: 'Simulator',
    summary: 'Ask whether it is ready',
    answers: {
      200: {
        description: 'It listens, and so it is ready',
        schema: object({ status: { const: 'ok' } }),
        example: { status: 'ok' },
      },
    },
  },
  'sim.state': {
    path: '/_sim/state',
    tag: 'Simulator',
    summary: 'See what it simulates',
    description: 'Scenario, seed and clock, and how much of everything there is.',
    answers: { 200: { description: 'The state', schema: ref('State') } },
  },
  'sim.reset': {
    path: '/_sim/reset',
    tag: 'Simulator',
    summary: 'Go back to the state after the start',
    description: 'The first scenario, no tasks, the clock and all draws from the beginning.',
    answers: {
      200: {
        description: 'Where it starts from',
        schema: object({
          seed: text('The root of all chance'),
          scenario: text('The name of the scenario'),
          now: instant('What time it is'),
        }),
        example: { seed: '1', scenario: 'default', now: '2026-01-01T00:00:00.000Z' },
      },
    },
    errors: BAD_BODY,
  },
  'sim.clock.read': {
    path: '/_sim/clock',
    tag: 'Clock',
    summary: 'Read the clock',
    answers: { 200: { description: 'The clock', schema: ref('Clock'), example: NOW } },
  },
  'sim.clock.turn': {
    path: '/_sim/clock',
    tag: 'Clock',
    summary: 'Turn the clock',
    description:
      'Answers when everything that was due on the way has happened, webhook attempts and retries included.',
    body: {
      schema: TURN,
      examples: {
        'two minutes on': { advance: '2m' },
        'to an instant': { to: '2026-02-01T00:00:00Z' },
        'until nothing is planned': { run_until_idle: true },
        'stop time': { mode: 'manual' },
        'a minute a second': { mode: 'real', speed: 60 },
      },
    },
    answers: { 200: { description: 'The clock', schema: ref('Clock'), example: NOW } },
    errors: BAD_BODY,
  },
  'sim.scenario.read': {
    path: '/_sim/scenario',
    tag: 'Scenario',
    summary: 'Read the scenario in force',
    answers: { 200: { description: 'The scenario', schema: ref('Scenario'), example: FLAKY } },
  },
  'sim.preview': {
    path: '/_sim/preview',
    tag: 'Scenario',
    summary: 'Try a scenario out',
    description:
      'Sends create requests to a simulator of its own and changes nothing: for the scenario in force, or the one in the body.',
    body: {
      schema: object({
        'name?': text('The name of a shipped scenario'),
        'text?': text('A scenario in YAML or JSON'),
        'scenario?': anyObject('A scenario as an object'),
        'model?': name('The only model to try; those that the scenario knows, unless given'),
        'tasks?': count('How many create requests to send for each model', {
          minimum: 1,
          maximum: 2_000,
          default: 300,
        }),
      }),
      examples: { 'the one in force': {}, 'a shipped one': { name: 'flaky' } },
    },
    answers: {
      200: { description: 'What came out, by model', schema: object({ data: listOf(ref('Preview')) }) },
    },
    errors: [...BAD_BODY, 'invalid_scenario'],
  },
  'sim.scenario.replace': {
    path: '/_sim/scenario',
    tag: 'Scenario',
    summary: 'Plan further tasks by another scenario',
    description: 'One that is broken is refused with every mistake, and changes nothing.',
    body: {
      schema: { ...CHOICE, description: 'One of the three' },
      examples: {
        'a shipped one': { name: 'flaky' },
        YAML: { text: 'extends: default\nkinds: { video: { delay: 1m } }\n' },
        'an object': { scenario: { extends: 'default', kinds: { video: { delay: '1m' } } } },
      },
    },
    answers: { 200: { description: 'The scenario', schema: ref('Scenario'), example: FLAKY } },
    errors: [...BAD_BODY, 'invalid_scenario'],
  },
  'sim.scenario.patch': {
    path: '/_sim/scenario',
    tag: 'Scenario',
    summary: 'Lay settings over the scenario in force',
    body: {
      schema: anyObject('A part of a scenario, as docs/reference/scenario.md has it'),
      examples: { 'pictures fail': { kinds: { image: { failures: { rate: 1 } } } } },
    },
    answers: {
      200: { description: 'The scenario', schema: ref('Scenario'), example: { ...FLAKY, text: null } },
    },
    errors: [...BAD_BODY, 'invalid_scenario'],
  },
}
