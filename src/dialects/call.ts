import type { FileCache } from '../engine/assets/file-cache.js'
import type { Outputs } from '../engine/assets/outputs.js'
import type { LivePart } from '../engine/progress/live-part.js'
import type { Engine } from '../engine/tasks/engine.js'
import type { ApiRequest } from '../exchange/exchange.js'
import type { Scenario } from '../scenario/scenario.js'

/** A request to an operation of a service. */
export interface Call {
  readonly request: ApiRequest
  /** The values of the parameters in the path. */
  readonly params: readonly string[]
  /** The API key. */
  readonly key: string
  readonly sim: ServiceState
}

/** The parts of a simulator that a dialect may ask. */
interface ServiceState {
  readonly scenario: Scenario
  /** The id of the sandbox, if the simulator is one. */
  readonly identity: { readonly id: string } | undefined
  /** The name of the server among several servers behind a load balancer. */
  readonly partition: string | undefined
  readonly clock: { now(): number }
  readonly tasks: Engine
  /** Shows tasks before their end. */
  readonly live: LivePart
  readonly outputs: Outputs
  readonly files: FileCache
  /** The start of output URLs for a client that reached the API at `origin`. */
  publicOrigin(origin: string): string
  /** The instant that decides which APIs have ended, in epoch milliseconds. */
  today(): number
  /** Whether webhooks may go to a URL. */
  mayCall(url: string): boolean
}
