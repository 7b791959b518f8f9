import type { DialectTable } from '../dialects/table/dialect-table.generated.js'
import type { Renderer } from '../engine/assets/asset.js'
import { isSpeed, SPEED_FORM } from '../engine/clock/clock.js'
import type { Duration } from '../engine/clock/durations.js'
import { INSTANT_FORM, readInstant } from '../engine/clock/read-instant.js'
import type { TimeSettings } from '../engine/clock/time.js'
import { checkOptionNames, describeValue, type OptionNames, UsageError } from '../engine/errors.js'
import { maskUrl } from '../engine/mask.js'
import { type ByteSize, KEEP_BYTES_FORM, readKeepBytes } from '../engine/memory/budget.js'
import { isPartition, PARTITION_FORM } from '../engine/partition.js'
import { isKeepTasks, KEEP_TASKS_FORM } from '../engine/tasks/retention.js'
import type { Transport } from '../engine/webhooks/attempts/transport.js'
import { HTTP_URL_FORM, httpUrl, type Receiver } from '../engine/webhooks/receivers/receiver.js'
import type { Scenario } from '../scenario/scenario.js'

/** The settings of a simulator, apart from its scenario. Each one has a default. */
export interface SimulatorSettings extends TimeSettings {
  /** The random seed; the scenario's seed by default. */
  readonly seed?: string | number
  /** Receivers of the webhooks of every task, in addition to those of the scenario. */
  readonly receivers?: readonly Receiver[]
  /** The webhook signing secret; overrides the scenario's. */
  readonly webhookSecret?: string
  /**
   * The only URLs that webhooks may go to, as patterns in which * matches any characters. By default all URLs are
   * allowed except link-local addresses, which a pattern must name: `http://169.254.169.254/*`.
   */
  readonly webhookAllow?: readonly string[]
  /** The start of output URLs; by default the origin at which the client reached the API. */
  readonly publicUrl?: string
  /**
   * The name of this server among several servers behind a load balancer: letters, digits and hyphens. It makes ids and
   * the keys of sandboxes unique to this server, and URLs without an API key contain it as `partition=NAME`.
   */
  readonly partition?: string
  /**
   * The maximum number of ended tasks to keep, 100,000 by default. Beyond it, the simulator deletes the task that ended
   * first, with its files, and answers 404 for it. It keeps tasks that still run or have a webhook to deliver.
   */
  readonly keepTasks?: number
  /**
   * The maximum number of bytes that the simulator and its sandboxes retain, 512MB by default: tasks with their inputs
   * and outputs, rendered files, webhooks and the journal. Beyond it, cached files are evicted first, then ended tasks,
   * the oldest first; if nothing more can be evicted, the simulator rejects new tasks with 503 `over_budget`.
   */
  readonly keepBytes?: ByteSize
  /** Sends the webhooks; by `fetch` by default. */
  readonly transport?: Transport
  /** Renders the output files; images, videos and sounds by default. */
  readonly renderer?: Renderer
  /** Dialects of your own: results of `parseDialect`. Each is served under its name. */
  readonly dialects?: readonly DialectTable[]
  /** The dialect to serve at the root as well, for clients that can change only the host. */
  readonly rootDialect?: string
}

/** The names of the settings. */
export const SETTING_NAMES: OptionNames<SimulatorSettings> = {
  seed: true,
  clock: true,
  speed: true,
  start: true,
  patience: true,
  receivers: true,
  webhookSecret: true,
  webhookAllow: true,
  publicUrl: true,
  partition: true,
  keepTasks: true,
  keepBytes: true,
  transport: true,
  renderer: true,
  dialects: true,
  rootDialect: true,
}

/** The options of a sandbox. The parent simulator supplies every option that is omitted. */
export interface SandboxOptions
  extends Pick<SimulatorSettings, 'seed' | 'clock' | 'speed' | 'start' | 'webhookSecret'> {
  /** Part of the random seed: two sandboxes with the same name and seed create the same tasks. */
  readonly name?: string
  /** The scenario of the sandbox: the name of a shipped one, or a result of `defineScenario` or `parseScenario`. */
  readonly scenario?: Scenario | string
  /** The real time without a request after which the sandbox is deleted; 30m by default. */
  readonly idle?: Duration
}

const SANDBOX_OPTION_NAMES: OptionNames<SandboxOptions> = {
  seed: true,
  clock: true,
  speed: true,
  start: true,
  webhookSecret: true,
  name: true,
  scenario: true,
  idle: true,
}

/** A setting with a value that it does not accept. */
export interface UnusableSetting {
  readonly name: keyof SimulatorSettings
  /** A description of the accepted values, worded to follow "to be". */
  readonly expected: string
  readonly given: unknown
}

/**
 * Finds the first setting whose value is invalid by itself or in combination with the clock mode.
 * @param defaultClock the clock mode if the settings do not give one
 */
export function findUnusableSetting(
  settings: SimulatorSettings,
  defaultClock: 'real' | 'manual' = 'real',
): UnusableSetting | undefined {
  const { clock, speed, start } = settings
  const mode = clock ?? defaultClock
  if (mode !== 'real' && mode !== 'manual')
    return { name: 'clock', expected: '`real` or `manual`', given: clock }
  if (speed !== undefined && mode === 'manual')
    return { name: 'speed', expected: 'omitted with a manual clock', given: speed }
  if (speed !== undefined && !isSpeed(speed)) return { name: 'speed', expected: SPEED_FORM, given: speed }
  if (start !== undefined && mode === 'real')
    return { name: 'start', expected: 'omitted without a manual clock', given: start }
  if (start !== undefined && readInstant(start) === undefined)
    return { name: 'start', expected: INSTANT_FORM, given: start }
  for (const [name, expected, isUsable, shown = asGiven] of FORMS) {
    const given: unknown = settings[name]
    if (given !== undefined && !isUsable(given)) return { name, expected, given: shown(given) }
  }
  return undefined
}

type Form = readonly [
  name: keyof SimulatorSettings,
  expected: string,
  isUsable: (value: unknown) => boolean,
  /** The value without its secrets. */
  shown?: (value: unknown) => unknown,
]

const isText = (value: unknown): value is string => typeof value === 'string'
const asGiven = (value: unknown) => value
const masked = (value: unknown) => (value ? '***' : value)

/** The settings whose value is valid or not by itself. */
const FORMS: readonly Form[] = [
  ['seed', 'a string or a finite number', (value) => isText(value) || Number.isFinite(value)],
  ['webhookSecret', 'a string that is not empty', (value) => isText(value) && value !== '', masked],
  ['webhookAllow', 'a list of patterns of URLs', (value) => Array.isArray(value) && value.every(isText)],
  ['transport', 'a function', (value) => typeof value === 'function'],
  [
    'publicUrl',
    HTTP_URL_FORM,
    (value) => isText(value) && httpUrl(value) !== undefined,
    (value) => maskUrl(String(value)),
  ],
  ['partition', PARTITION_FORM, isPartition],
  ['keepTasks', KEEP_TASKS_FORM, isKeepTasks],
  ['keepBytes', KEEP_BYTES_FORM, (value) => readKeepBytes(value) !== undefined],
  ['dialects', 'a list of results of `parseDialect`', isListOfTables],
]

/** Whether a value can be a list of dialects: a file that was not parsed has a mapping of operations, or is a string. */
function isListOfTables(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each === 'object' && each !== null && Array.isArray(each.operations))
  )
}

/** @throws UsageError if a setting has an unusable value */
export function checkSettings(settings: SimulatorSettings, defaultClock?: 'real' | 'manual'): void {
  const unusable = findUnusableSetting(settings, defaultClock)
  if (unusable === undefined) return
  const { name, expected, given } = unusable
  throw new UsageError(`Expected \`${name}\` to be ${expected}, got ${describeValue(given)}`)
}

/**
 * Checks the options of a sandbox.
 * @param defaultClock the clock mode of the simulator that the sandbox belongs to
 * @throws UsageError if an option is unknown or has an unusable value
 */
export function checkSandboxOptions(options: SandboxOptions, defaultClock: 'real' | 'manual'): void {
  checkOptionNames('createSandbox', options, SANDBOX_OPTION_NAMES)
  checkSettings(options, defaultClock)
}
