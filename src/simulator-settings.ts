import type { Renderer } from './engine/assets/renderer.js'
import type { Duration } from './engine/clock/durations.js'
import type { TimeSettings } from './engine/clock/time.js'
import type { OptionNames } from './engine/known-options.js'
import type { ByteSize } from './engine/memory/keep-bytes.js'
import type { TaskStore } from './engine/tasks/store.js'
import type { Receiver } from './engine/webhooks/receivers.js'
import type { Transport } from './engine/webhooks/transport.js'
import type { Scenario } from './scenario/model/scenario.js'

/** What a simulator is made of, apart from its scenario; each port has its default. */
export interface SimulatorSettings extends TimeSettings {
  /** The scenario's own, unless given. */
  readonly seed?: string | number
  /** Who gets the webhooks of every task, beside the receivers that the scenario names. */
  readonly receivers?: readonly Receiver[]
  /** The webhook signing secret, before the scenario's. */
  readonly webhookSecret?: string
  /**
   * The only URLs that webhooks may go to, as patterns in which * stands for any characters; all unless given, except
   * those of link-local addresses, which a pattern must name: `http://169.254.169.254/*`.
   */
  readonly webhookAllow?: readonly string[]
  /** What output URLs start with, where that is not the origin by which a client reached the API. */
  readonly publicUrl?: string
  /**
   * How many tasks are kept that have ended, 100,000 unless given, so that a server can run for ever: whichever ended
   * first is forgotten first, with all that is held for it, and is then not found. Who has not ended, or whose webhook
   * is still to be delivered, is not forgotten.
   */
  readonly keepTasks?: number
  /**
   * How many bytes the simulator and its sandboxes may retain, 512MB unless given: tasks with their inputs and outputs,
   * rendered files, webhooks and the journal. Beyond it, cached files are evicted first, then ended tasks, the oldest
   * first; if all that is left is in use, a create is rejected with 503 `over_budget`.
   */
  readonly keepBytes?: ByteSize
  /** Where tasks are kept; in memory unless given. */
  readonly store?: TaskStore
  /** How webhooks leave; by `fetch` unless given. */
  readonly transport?: Transport
  /** What output files hold; pictures, videos and sounds unless given. */
  readonly renderer?: Renderer
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
  keepTasks: true,
  keepBytes: true,
  store: true,
  transport: true,
  renderer: true,
}

/** What a sandbox may have of its own; what is not given is as in the simulator that it belongs to. */
export interface SandboxOptions
  extends Pick<SimulatorSettings, 'seed' | 'clock' | 'speed' | 'start' | 'webhookSecret'> {
  /** Roots its draws: two sandboxes with the same name and seed make the same tasks. */
  readonly name?: string
  /** How its service behaves. */
  readonly scenario?: Scenario
  /** Real time without a request after which it is forgotten; 30m unless given. */
  readonly idle?: Duration
}
