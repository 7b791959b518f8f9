import type { Control } from '../client/control.js'
import { checkOptionNames, type OptionNames, UsageError } from '../engine/errors.js'
import { maskUrl } from '../engine/mask.js'
import { functionTransport, type ReceiverFunction } from '../engine/webhooks/attempts/transport.js'
import { HTTP_URL_FORM, httpUrl, type Receiver } from '../engine/webhooks/receivers/receiver.js'
import { controlOf } from '../hosts/in-process.js'
import type { Scenario } from '../scenario/scenario.js'
import { checkSettings, SETTING_NAMES, type SimulatorSettings } from '../simulator/settings.js'
import { Simulator as BareSimulator } from '../simulator/simulator.js'

/**
 * A receiver of webhooks. A URL and a function in this process get those of every task. A function that handles a URL
 * gets those of the tasks whose create requests name it, as a real receiver does.
 */
export type ReceiverOption =
  | string
  | ReceiverFunction
  | {
      /** The URL that the function handles; a create request may name it with a query. */
      readonly url: string
      /** Receives the webhooks, without a network. */
      readonly handle: ReceiverFunction
      /**
       * Whether it gets the webhooks of every task, as if it were registered for the account at the service. By
       * default, it does so only for services whose create requests name no receiver.
       */
      readonly everyTask?: boolean
    }

/** The options of a simulator, apart from its scenario. */
export interface BuildOptions extends Omit<SimulatorSettings, 'receivers'> {
  /** Receivers of webhooks, in addition to those of the scenario. */
  readonly receivers?: readonly ReceiverOption[]
}

/** The simulated service, without a host. */
export class Simulator extends BareSimulator {
  /** The operations of the control API; `connect` of `tasksim/client` has the same for a remote server. */
  readonly control: Control = controlOf(this)
}

const NAMES: OptionNames<BuildOptions & { scenario?: unknown }> = { ...SETTING_NAMES, scenario: true }

/**
 * Checks the options and builds a simulator, for the library and for the command line. It takes a complete scenario, so
 * that the command line can start without the code that reads scenario files.
 * @throws UsageError if an option is unknown or has an unusable value
 */
export function buildSimulator(scenario: Scenario, options: BuildOptions = {}): Simulator {
  checkOptionNames('createSimulator', options, NAMES)
  const { receivers = [], ...settings } = options
  checkSettings(settings)
  return new Simulator(scenario, { ...settings, receivers: receivers.map(toReceiver) })
}

function toReceiver(option: ReceiverOption, index: number): Receiver {
  if (typeof option === 'string') return { url: receiverUrl(option) }
  if (typeof option === 'function') {
    // Each function gets a host of its own, so that one that hangs does not delay the others.
    return { url: `http://receiver-${index + 1}.invalid/`, transport: functionTransport(option) }
  }
  if (!isHandled(option)) {
    throw new UsageError(
      `Expected a receiver to be a URL, a function, or { url, handle } with a function and perhaps \`everyTask: true\`, got ${formOf(option)}. ` +
        'Other settings of a receiver belong in `webhooks.receivers` of the scenario.',
    )
  }
  const { url, handle, everyTask = false } = option
  return { url: receiverUrl(url), transport: functionTransport(handle), isOnlyNamed: !everyTask }
}

/** Whether an option has the declared form, for callers without TypeScript. */
function isHandled(option: object | null): option is Extract<ReceiverOption, object> {
  if (typeof option !== 'object' || option === null) return false
  const {
    url,
    handle,
    everyTask = false,
    ...others
  } = option as Partial<Extract<ReceiverOption, { url: string }>>
  const hasTypes = typeof url === 'string' && typeof handle === 'function' && typeof everyTask === 'boolean'
  return hasTypes && Object.keys(others).length === 0
}

function formOf(option: unknown): string {
  if (typeof option !== 'object' || option === null) return String(option)
  const names = Object.keys(option).map((name) => `\`${name}\``)
  if (names.length === 0) return 'an empty object'
  const [last] = names.splice(-1)
  return `an object with ${names.length === 0 ? '' : `${names.join(', ')} and `}${last}`
}

function receiverUrl(text: string): string {
  const url = httpUrl(text)
  if (url !== undefined) return url
  throw new UsageError(`Expected a receiver to be ${HTTP_URL_FORM}, got ${JSON.stringify(maskUrl(text))}`)
}
