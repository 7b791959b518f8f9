import type { Awaitable } from '../../engine/awaitable.js'
import { UsageError } from '../../engine/errors.js'
import { Problem } from '../../exchange/problem.js'
import { checkTarget } from '../../exchange/webhook-target.js'
import { type Mistake, ScenarioError } from '../../scenario/check/mistake.js'
import { namesFiles } from '../../scenario/layers/own-files.js'
import type { Scenario, ScenarioLayer } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'

/** A shipped scenario by name, a text in YAML or JSON with what it extends, or an object: exactly one of them. */
export interface GivenScenario {
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
  const { withSecretsOf } = await import('../../scenario/secrets/restore.js')
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
    const { shippedScenario } = await import('../../scenario/shipped.js')
    return withMistakes(() => shippedScenario(name))
  }
  if (text !== undefined) {
    const { parseWithBases } = await import('../../scenario/read-text.js')
    return withMistakes(() => parseWithBases(text, new Map(Object.entries(bases))))
  }
  const { buildScenario } = await import('../../scenario/build-scenario.js')
  return withMistakes(() => buildScenario(scenario as object))
}

/**
 * Rejects a scenario that sends webhooks to forbidden targets, publishes files of this machine, or has settings of an
 * unknown dialect.
 * @param layer the part that the sender wrote
 * @throws Problem 400
 */
export function checkReach(scenario: Scenario, layer: ScenarioLayer, sim: Simulator): void {
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
export async function withMistakes(read: () => Awaitable<Scenario>): Promise<Scenario> {
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
