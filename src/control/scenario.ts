import { Problem } from '../exchange/problem.js'
import { json } from '../exchange/reply.js'
import type { Scenario } from '../scenario/scenario.js'
import { placeholdersOf } from '../scenario/secrets/placeholders.js'
import { SHIPPED_NAMES, shippedText } from '../scenario/shipped.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { checkReach, type GivenScenario, readGivenScenario, withMistakes } from './scenario/read-scenario.js'
import { ScenarioChoice } from './schema/bodies.js'
import { anyObject } from './schema/parts.js'
import type { ScenarioShape, ShippedScenarioShape } from './shapes.js'

const EXAMPLE = {
  name: 'flaky',
  description: 'one task in five fails, with different errors',
  text: 'description: ...',
  shipped: ['default', 'flaky'],
}

export const readScenario = controlOperation('sim.scenario.read', {
  tag: 'Scenario',
  summary: 'Read the active scenario',
  responses: { 200: { description: 'The scenario', json: 'Scenario', example: EXAMPLE } },
  run: async ({ sim }) => json(200, await scenarioShape(sim)),
})

export const readShippedScenario = controlOperation('sim.scenario.shipped', {
  tag: 'Scenario',
  summary: 'Read the file of a shipped scenario',
  description: 'Changes nothing: the scenario does not become the active one.',
  params: { name: 'The name of the scenario' },
  responses: {
    200: {
      description: 'The file',
      json: 'ShippedScenario',
      example: { name: EXAMPLE.name, text: EXAMPLE.text },
    },
  },
  errors: ['not_found'],
  async run({ params: [name = ''] }) {
    const text = await shippedText(name)
    if (text === undefined)
      throw new Problem('not_found', `There is no shipped scenario ${JSON.stringify(name.slice(0, 100))}.`)
    return json(200, { name, text } satisfies ShippedScenarioShape)
  },
})

export const replaceScenario = controlOperation('sim.scenario.replace', {
  tag: 'Scenario',
  summary: 'Replace the active scenario',
  description:
    'Applies to tasks that are created afterwards. An invalid scenario changes nothing; the response lists every mistake.',
  body: {
    schema: ScenarioChoice,
    examples: {
      'a shipped scenario': { name: 'flaky' },
      YAML: { text: 'extends: default\nkinds: { video: { delay: 1m } }\n' },
      'an object': { scenario: { extends: 'default', kinds: { video: { delay: '1m' } } } },
    },
  },
  responses: { 200: { description: 'The new scenario', json: 'Scenario', example: EXAMPLE } },
  errors: [...BODY_ERRORS, 'invalid_scenario'],
  async run({ sim }, { body }) {
    const choice: GivenScenario = body
    sim.useScenario(await readGivenScenario(choice, sim))
    return json(200, await scenarioShape(sim))
  },
})

export const patchScenario = controlOperation('sim.scenario.patch', {
  tag: 'Scenario',
  summary: 'Override settings of the active scenario',
  body: {
    validate: false,
    schema: anyObject('The settings to override, as in a scenario file'),
    examples: { 'images fail': { kinds: { image: { failures: { rate: 1 } } } } },
  },
  responses: {
    200: { description: 'The new scenario', json: 'Scenario', example: { ...EXAMPLE, text: null } },
  },
  errors: [...BODY_ERRORS, 'invalid_scenario'],
  async run({ sim }, { body }) {
    const { patchScenario } = await import('../scenario/patch-scenario.js')
    const scenario = await withMistakes(() => patchScenario(sim.scenario, body))
    checkReach(scenario, body, sim)
    sim.useScenario(scenario)
    return json(200, await scenarioShape(sim))
  },
})

const maskedTexts = new WeakMap<Scenario, Promise<string | null>>()

/** The active scenario, with placeholders for its secrets. */
async function scenarioShape({ scenario }: Simulator): Promise<ScenarioShape> {
  const { name, description } = scenario
  const text = maskedTexts.get(scenario) ?? maskedText(scenario)
  maskedTexts.set(scenario, text)
  return {
    name,
    description: placeholdersOf(scenario).maskIn(description),
    text: await text,
    shipped: SHIPPED_NAMES,
  }
}

async function maskedText(scenario: Scenario): Promise<string | null> {
  const { name, text = (await shippedText(name)) ?? null } = scenario
  const placeholders = placeholdersOf(scenario)
  if (text === null || placeholders.isEmpty) return text
  const { maskText } = await import('../scenario/secrets/mask-text.js')
  return maskText(text, placeholders)
}
