import type { JsonObject } from '../../engine/json.js'
import type { NewTask } from '../../engine/tasks/task-factory.js'

/** A request to a service that a user can send with any tool. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  /** By name. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of the body; undefined if there is none. */
  readonly body?: JsonObject | undefined
}

/** What a create request asks for. */
export type Wanted = Pick<NewTask, 'model' | 'input' | 'webhookUrl' | 'kind' | 'extra'>

/** Where a request goes, and which API key it has. */
export interface Destination {
  /** The start of URLs to the server; empty in a process without one. */
  readonly origin: string
  readonly key: string
  /** The name of the dialect that the URLs address at the root; by default, that of `/api/v1`. */
  readonly root?: string | undefined
}
