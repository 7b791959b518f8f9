import type { Awaitable } from '../engine/awaitable.js'
import { UsageError } from '../engine/errors.js'
import { json } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import { checkTarget } from '../exchange/webhook-target.js'
import { type Mistake, ScenarioError } from '../scenario/check/mistake.js'
import { namesFiles } from '../scenario/layers/own-files.js'
import type { Scenario, ScenarioLayer } from '../scenario/scenario.js'
import { placeholdersOf } from '../scenario/secrets/placeholders.js'
import { SHIPPED_NAMES, shippedText } from '../scenario/shipped.js'
import type { Simulator } from '../simulator/simulator.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { ScenarioChoice } from './schema/inputs.js'
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

/** A shipped scenario by name, a text in YAML or JSON with what it extends, or an object: exactly one of them. */
interface GivenScenario {
  readonly name?: string | undefined
  readonly text?: string | undefined
  /** The texts of what the text extends, by the names in `extends`. */
  readonly bases?: Readonly<Record<string, string>> | undefined
  readonly scenario?: unknown
}

/**
 * Reads the scenario of a request, and replaces placeholders with the secrets of the active scenario.
 * @throws Problem 400 with every mistake in it
 */
export async function readGivenScenario(choice: GivenScenario, sim: Simulator): Promise<Scenario> {
  const given = await build(choice)
  const { withSecretsOf } = await import('../scenario/secrets/restore.js')
  const scenario = await withMistakes(() => withSecretsOf(sim.scenario, given))
  checkReach(scenario, scenario.layer, sim)
  return scenario
}

async function build({ name, text, bases = {}, scenario }: GivenScenario): Promise<Scenario> {
  if ([name, text, scenario].filter((value) => value !== undefined).length !== 1)
    throw new Problem(
      'invalid_request',
      'Give one of `name`, `text` and `scenario`, such as {"name": "flaky"}.',
    )
  if (name !== undefined) {
    const { shippedScenario } = await import('../scenario/shipped.js')
    return withMistakes(() => shippedScenario(name))
  }
  if (text !== undefined) {
    const { parseWithBases } = await import('../scenario/read-text.js')
    return withMistakes(() => parseWithBases(text, new Map(Object.entries(bases))))
  }
  const { buildScenario } = await import('../scenario/build-scenario.js')
  return withMistakes(() => buildScenario(scenario as object))
}

/**
 * Rejects a scenario that sends webhooks to forbidden targets, publishes files of this machine, or has settings of an
 * unknown dialect.
 * @param layer the part that the sender wrote
 * @throws Problem 400
 */
function checkReach(scenario: Scenario, layer: ScenarioLayer, sim: Simulator): void {
  checkDialects(scenario, sim)
  const known = new Set(sim.scenario.webhooks.receivers.map(({ url }) => url))
  for (const { url } of scenario.webhooks.receivers)
    if (!known.has(url)) checkTarget(sim, 'webhooks.receivers', url)
  if (namesFiles(layer))
    throw new Problem(
      'invalid_scenario',
      'A scenario from the control API cannot publish files of this machine: omit `files`, or name them in the scenario that the server starts with.',
    )
}

function checkDialects({ dialects }: Scenario, sim: Simulator): void {
  try {
    for (const [name, { file }] of Object.entries(dialects)) {
      if (file !== undefined && sim.dialects.own(name) === undefined) throw unreadFile(name)
      sim.dialects.check(name)
    }
  } catch (error) {
    throw problemOf(error)
  }
}

function unreadFile(name: string): UsageError {
  return new UsageError(
    `A scenario from the control API cannot read files of this machine: omit \`dialects.${name}.file\`, or start the server with it or with --dialect.`,
  )
}

/** Converts the mistakes in a scenario to an error response. */
async function withMistakes(read: () => Awaitable<Scenario>): Promise<Scenario> {
  try {
    return await read()
  } catch (error) {
    throw problemOf(error)
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error
  const details = error instanceof ScenarioError ? detailsOf(error) : {}
  return new Problem('invalid_scenario', error.message, { details })
}

function detailsOf({ mistakes, more }: ScenarioError): object {
  return { mistakes: mistakes.map(mistakeShape), ...(more > 0 && { more }) }
}

function mistakeShape({ line, column, path, message }: Mistake): object {
  return { line, column, path, message }
}
