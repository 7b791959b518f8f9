import type { Call } from '../../client/call.js'

/** The settings of a new simulator. The command line gives those that are missing. */
export interface NewSimulator {
  /** The name of a shipped scenario, or the path of a file. */
  readonly scenario?: string
  readonly seed?: string
  readonly clock?: 'real' | 'manual'
  readonly speed?: number
}

/** The simulator that the tools control: one in this process, or a server that runs elsewhere. */
export interface Session {
  /** Sends a request to its control API. */
  readonly call: Call
  /** The start of its URLs, such as http://127.0.0.1:4010. */
  readonly origin: string
  /** The names of the failing cases that tools have added to its scenario. */
  readonly cases: Set<string>
  /**
   * Replaces the simulator with a new one at the same address. Undefined for a server that runs elsewhere.
   * @throws UsageError if a setting is unusable or the address is not available; the current simulator then remains
   */
  readonly restart?: (settings: NewSimulator) => Promise<void>
  /** Stops the simulator, if it runs in this process. */
  close(): Promise<void>
}
