import type { Control } from './client/control.js'
import { controlOf } from './client/in-process.js'
import { isSpeed, SPEED_FORM } from './engine/clock/speed.js'
import { UsageError } from './engine/errors.js'
import { checkOptionNames, type OptionNames } from './engine/known-options.js'
import { KEEP_BYTES_FORM, readKeepBytes } from './engine/memory/keep-bytes.js'
import { isKeepTasks, KEEP_TASKS_FORM } from './engine/tasks/keep-tasks.js'
import { HTTP_URL_FORM, httpUrl } from './engine/webhooks/http-url.js'
import type { Receiver } from './engine/webhooks/receivers.js'
import { functionTransport, type ReceiverFunction } from './engine/webhooks/transport.js'
import { buildScenario } from './scenario/language/build-scenario.js'
import type { ScenarioInput } from './scenario/language/scenario-input.generated.js'
import { scenarioNamed } from './scenario/language/scenario-named.js'
import type { Scenario } from './scenario/model/scenario.js'
import { Simulator as BareSimulator } from './simulator.js'
import { SETTING_NAMES, type SimulatorSettings } from './simulator-settings.js'

/** Who gets the webhooks of every task: a URL, a function in this process, or a function that stands for a URL. */
export type ReceiverOption =
  | string
  | ReceiverFunction
  | {
      /** The URL that the function stands for, also where a task names it as its `webhook_url`. */
      readonly url: string
      /** Gets the webhooks, without a network. */
      readonly handle: ReceiverFunction
    }

/** The simulated service, without a host. */
export type Simulator = BareSimulator & {
  /** The operations of the control API, as `connect` of `tasksim/client` has them for a server elsewhere. */
  readonly control: Control
}

/**
 * A scenario that is checked and complete. It has no field in common with one as it is written, so that the compiler
 * finds mistakes in the fields of that one, and names them.
 */
type CheckedScenario = Pick<Scenario, 'name' | 'catalog'>

/** How to make a simulator. */
export interface SimulatorOptions extends Omit<SimulatorSettings, 'receivers'> {
  /** The name of a shipped scenario, one of `defineScenario` or `parseScenario`, or one as it is written. */
  readonly scenario?: string | CheckedScenario | ScenarioInput
  /** Who gets the webhooks of every task, beside the receivers that the scenario names. */
  readonly receivers?: readonly ReceiverOption[]
}

const OPTIONS: OptionNames<SimulatorOptions> = { ...SETTING_NAMES, scenario: true }

/**
 * Makes a simulator: the whole service, without a host.
 * @throws ScenarioError with every mistake in the scenario; UsageError where none of the name is shipped, an option is
 * unknown or unusable, or a receiver is no URL
 * @example
 * const sim = createSimulator({ scenario: 'realistic', clock: 'manual' })
 * const server = setupServer(...handlers(sim))
 * await sim.clock.advance('2m')
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  checkOptionNames('createSimulator', options, OPTIONS)
  const { scenario = 'default', receivers = [], ...settings } = options
  check(settings)
  const sim = new BareSimulator(toScenario(scenario), { ...settings, receivers: receivers.map(toReceiver) })
  return Object.assign(sim, { control: controlOf(sim) })
}

/**
 * Checks a scenario that is written in code, and completes it.
 * @throws ScenarioError with every mistake
 * @example
 * const scenario = defineScenario({ extends: 'instant', kinds: { video: { failures: { rate: 1 } } } })
 */
export function defineScenario(scenario: ScenarioInput): Scenario {
  return buildScenario(scenario)
}

function toScenario(scenario: string | CheckedScenario | ScenarioInput): Scenario {
  if (typeof scenario === 'string') return scenarioNamed(scenario)
  return 'catalog' in scenario ? (scenario as Scenario) : buildScenario(scenario)
}

function toReceiver(option: ReceiverOption, index: number): Receiver {
  if (typeof option === 'string') return { url: receiverUrl(option) }
  if (typeof option === 'function') {
    // Each seems to live at a place of its own, so that one that hangs holds up no other.
    return { url: `http://receiver-${index + 1}.invalid/`, transport: functionTransport(option) }
  }
  return { url: receiverUrl(option.url), transport: functionTransport(option.handle) }
}

/** TypeScript says most of this, but not to everybody. */
function check({
  clock = 'real',
  speed = 1,
  start = 0,
  publicUrl,
  keepTasks = 1,
  keepBytes,
}: SimulatorOptions): void {
  if (clock !== 'real' && clock !== 'manual') throw expected('clock', '`real` or `manual`', clock)
  if (!isSpeed(speed)) throw expected('speed', SPEED_FORM, speed)
  if (Number.isNaN(new Date(start).getTime()))
    throw expected('start', 'an instant such as 2026-01-01T00:00:00Z', start)
  if (publicUrl !== undefined && httpUrl(publicUrl) === undefined)
    throw expected('publicUrl', HTTP_URL_FORM, publicUrl)
  if (keepBytes !== undefined && readKeepBytes(keepBytes) === undefined)
    throw expected('keepBytes', KEEP_BYTES_FORM, keepBytes)
  if (!isKeepTasks(keepTasks)) throw expected('keepTasks', KEEP_TASKS_FORM, keepTasks)
}

function expected(option: string, what: string, given: unknown): UsageError {
  return new UsageError(`Expected \`${option}\` to be ${what}, got ${JSON.stringify(given) ?? String(given)}`)
}

function receiverUrl(text: string): string {
  const url = httpUrl(text)
  if (url !== undefined) return url
  throw new UsageError(`Expected a receiver to be ${HTTP_URL_FORM}, got ${JSON.stringify(text)}`)
}

export type { Control } from './client/control.js'
export type { Renderer } from './engine/assets/renderer.js'
export type { ClockControl, Instant } from './engine/clock/clock-control.js'
export type { Duration } from './engine/clock/durations.js'
export { UsageError } from './engine/errors.js'
export type { AnsweredRequest, Download, RefusedRequest, SimulatorEvents } from './engine/events.js'
export type { JsonObject, JsonValue } from './engine/json.js'
export type { ByteSize } from './engine/memory/keep-bytes.js'
export type { ListQuery, TaskPage, TaskStore } from './engine/tasks/store.js'
export type { Kind, Outcome, Plan, Status, Task, TaskError } from './engine/tasks/task.js'
export type { Answer, Attempt, Delivery, DeliveryState } from './engine/webhooks/delivery.js'
export type { RegisteredReceiver } from './engine/webhooks/receivers.js'
export {
  type Payload,
  type SignatureFormat,
  signPayload,
  verifySignature,
} from './engine/webhooks/signature.js'
export type { Post, ReceiverFunction, Transport } from './engine/webhooks/transport.js'
export type { Evidence, Finding, Severity } from './inspect/findings/finding.js'
export type { Observable, Observation, ObservedDetails } from './inspect/findings/observation.js'
export type { Checked, Verdict } from './inspect/findings/verdict.js'
export { type Mistake, ScenarioError } from './scenario/language/check/mistake.js'
export { SHIPPED_NAMES } from './scenario/language/layers/assemble.js'
export { parseScenario } from './scenario/language/parse-scenario.js'
export type * from './scenario/language/scenario-input.generated.js'
export type { Scenario } from './scenario/model/scenario.js'
