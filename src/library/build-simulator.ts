import type { Control } from '../client/control.js'
import { checkOptionNames, type OptionNames, UsageError } from '../engine/errors.js'
import { maskUrl } from '../engine/mask.js'
import type { Scenario } from '../engine/scenario/scenario.js'
import { functionTransport, type ReceiverFunction } from '../engine/webhooks/attempts/transport.js'
import type { Receiver } from '../engine/webhooks/receivers/receiver.js'
import { HTTP_URL_FORM, httpUrl } from '../engine/webhooks/receivers/receiver.js'
import { controlOf } from '../hosts/in-process.js'
import { checkSettings, SETTING_NAMES, type SimulatorSettings } from '../simulator/settings.js'
import { Simulator as BareSimulator } from '../simulator/simulator.js'

/** A receiver of the webhooks of every task: a URL, a function in this process, or a function that handles a URL. */
export type ReceiverOption =
  | string
  | ReceiverFunction
  | {
      /** The URL that the function handles, also if a task gives it as its `webhook_url`. */
      readonly url: string
      /** Receives the webhooks, without a network. */
      readonly handle: ReceiverFunction
    }

/** The options of a simulator, apart from its scenario. */
export interface BuildOptions extends Omit<SimulatorSettings, 'receivers'> {
  /** Receivers of the webhooks of every task, in addition to those of the scenario. */
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
      `Expected a receiver to be a URL, a function or { url, handle } with a function, got ${formOf(option)}. ` +
        'Other settings of a receiver belong in `webhooks.receivers` of the scenario.',
    )
  }
  return { url: receiverUrl(option.url), transport: functionTransport(option.handle) }
}

/** Whether an option has the declared form, for callers without TypeScript. */
function isHandled(option: object | null): option is Extract<ReceiverOption, object> {
  if (typeof option !== 'object' || option === null) return false
  const { url, handle, ...others } = option as Partial<Extract<ReceiverOption, { url: string }>>
  return typeof url === 'string' && typeof handle === 'function' && Object.keys(others).length === 0
}

function formOf(option: unknown): string {
  if (typeof option !== 'object' || option === null) return String(option)
  const names = Object.keys(option).map((name) => `\`${name}\``)
  return names.length === 0 ? 'an empty object' : `an object with ${names.join(' and ')}`
}

function receiverUrl(text: string): string {
  const url = httpUrl(text)
  if (url !== undefined) return url
  throw new UsageError(`Expected a receiver to be ${HTTP_URL_FORM}, got ${JSON.stringify(maskUrl(text))}`)
}
