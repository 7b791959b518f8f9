import { expect, test } from 'vitest'
import { parseScenario, ScenarioError, type ScenarioInput } from '../../src/index.js'
import { buildScenario } from '../../src/scenario/build-scenario.js'
import { assemble } from '../../src/scenario/layers/assemble.js'
import { parseLayer } from '../../src/scenario/parse-layer.js'
import { patchScenario } from '../../src/scenario/patch-scenario.js'
import { create, simulate } from '../support/simulations.js'

const MESH: ScenarioInput = {
  kinds: { tool: { delay: '4s', price: { per_task: 2 } }, mesh: { like: 'tool', price: { per_task: 3 } } },
  models: { 'acme/*': { kind: 'mesh' } },
}

function mistakesIn(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n')
    throw error
  }
}

const mistakesInText = (text: string) => mistakesIn(() => parseScenario(text, 'a.yaml'))

test('a kind of a scenario inherits what it does not override, and a model overrides both', async () => {
  const { plan, kind, baseKind } = await create(simulate({ scenario: MESH }), { model: 'acme/a' })
  expect({ kind, baseKind }).toEqual({ kind: 'mesh', baseKind: 'tool' })
  expect(plan).toMatchObject({ end: { after: 4_000 }, price: { per_task: 3 } })
  const scenario = { ...MESH, models: { 'acme/a': { kind: 'mesh', delay: '1s' } } } as const
  const faster = await create(simulate({ scenario }), { model: 'acme/a' })
  expect(faster.plan).toMatchObject({ end: { after: 1_000 }, price: { per_task: 3 } })
})

test('rules and capacity limits refer to a kind of a scenario by its name', async () => {
  const scenario: ScenarioInput = {
    ...MESH,
    rules: [
      { when: { kind: 'tool' }, then: { outcome: 'stuck' } },
      { when: { kind: 'mesh' }, then: { outcome: 'canceled' } },
    ],
    capacity: { kinds: { mesh: { running: 1 } } },
  }
  const sim = simulate({ scenario })
  const tasks = [await create(sim, { model: 'acme/a' }), await create(sim, { model: 'acme/b' })]
  expect(tasks.map(({ plan }) => plan.outcome)).toEqual(['canceled', 'canceled'])
  expect(tasks.map(({ status }) => status)).toEqual(['processing', 'queued'])
})

test('a kind like an image has the limits and the input of an image', async () => {
  const scenario: ScenarioInput = {
    kinds: { icon: { like: 'image', limits: { side: { max: 64 } } } },
    models: { 'acme/icon': { kind: 'icon' } },
  }
  const { media } = await create(simulate({ scenario }), { model: 'acme/icon' })
  expect(media).toMatchObject({ kind: 'image', width: 64, height: 64 })
})

test.each([
  [
    'kinds:\n  mesh: { delay: 1s }',
    'a.yaml:2:3: kinds.mesh: unknown field `mesh`; to define a kind of your own, add the built-in kind that it resembles, such as `like: tool`',
  ],
  ['kinds:\n  vidio: { delay: 1s }', 'a.yaml:2:3: kinds.vidio: unknown field `vidio`; did you mean `video`?'],
  ['kinds:\n  mesh: { like: tol }', 'a.yaml:2:17: kinds.mesh.like: got "tol"; did you mean `tool`?'],
  [
    'kinds:\n  a b: { like: tool }',
    'a.yaml:2:3: kinds["a b"]: expected a name of up to 40 letters, digits, - or _',
  ],
  ['kinds: { image: { like: tool } }', 'a.yaml:1:19: kinds.image.like: unknown field `like`; '],
  [
    'kinds: { mesh: { like: tool } }\nmodels: { a: { kind: mehs } }',
    'a.yaml:2:22: models.a.kind: got "mehs"; did you mean `mesh`?',
  ],
  [
    'models: { a: { kind: pointcloud } }',
    'a.yaml:1:22: models.a.kind: got "pointcloud"; expected `image`, `video`, `audio`, `tool`, `llm` or `transcript`, or define the kind under `kinds` with `like`',
  ],
  [
    'rules: [{ when: { kind: tole }, then: {} }]',
    'a.yaml:1:25: rules[0].when.kind: got "tole"; did you mean `tool`?',
  ],
  [
    'webhooks: { faults: [{ when: { kind: tole }, then: lost }] }',
    'a.yaml:1:38: webhooks.faults[0].when.kind: got "tole"; did you mean `tool`?',
  ],
  [
    'capacity: { kinds: { vidoe: { running: 1 } } }',
    'a.yaml:1:22: capacity.kinds.vidoe: unknown field `vidoe`; did you mean `video`?',
  ],
  [
    'findings: { thresholds: { poll_interval: { vidoe: 1s } } }',
    'a.yaml:1:44: findings.thresholds.poll_interval.vidoe: unknown field `vidoe`; did you mean `video`?',
  ],
])('the mistake in %j is reported at its place', (text, mistake) => {
  expect(mistakesInText(text)).toEqual([expect.stringContaining(mistake)])
})

test('an unknown kind is reported together with other mistakes', () => {
  const text = 'models: { a: { kind: vidoe, delay: soon } }'
  expect(mistakesInText(text)).toEqual([
    expect.stringContaining('a.yaml:1:22: models.a.kind'),
    expect.stringContaining('a.yaml:1:36: models.a.delay'),
  ])
})

const assembled = (upper: string, lower: string) =>
  assemble('upper', parseLayer(`extends: lower\n${upper}`, 'upper'), () => parseLayer(lower, 'lower'))

test('a scenario may use the kinds of the scenario that it extends', () => {
  const lower = 'kinds: { mesh: { like: tool, delay: 1s } }'
  const { kinds, models } = assembled('models: { a: { kind: mesh } }', lower)
  expect({ kinds, models }).toEqual({
    kinds: { mesh: { like: 'tool', delay: 1_000 } },
    models: { a: { kind: 'mesh' } },
  })
  expect(mistakesIn(() => assembled('models:\n  a: { kind: mehs }', lower))).toEqual([
    'upper:3:14: models.a.kind: got "mehs"; did you mean `mesh`?',
  ])
})

test('a patch may use the kinds of the scenario, and define others', () => {
  const scenario = buildScenario(MESH)
  expect(patchScenario(scenario, { models: { b: { kind: 'mesh' } } }).models['b']).toEqual({ kind: 'mesh' })
  const patch: ScenarioInput = { kinds: { scan: { like: 'video' } }, models: { c: { kind: 'scan' } } }
  expect(patchScenario(scenario, patch).kinds).toMatchObject({
    mesh: { like: 'tool' },
    scan: { like: 'video' },
  })
  expect(mistakesIn(() => patchScenario(scenario, { models: { b: { kind: 'mehs' } } }))).toEqual([
    'patch: models.b.kind: got "mehs"; did you mean `mesh`?',
  ])
})
