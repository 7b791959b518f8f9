import type { Awaitable } from '../../engine/awaitable.js'
import type { Mark } from '../report/report.js'
import type { ProbeContext } from './context.js'
import type { ProbeRequest, ProbeResponse } from './send-request.js'

/** The result of a probe. */
export interface Assessment {
  readonly mark: Mark
  /** Why the mistake matters in production; empty if the probe passed. */
  readonly why: string
  readonly remedy: string
}

/** The tools of a probe. */
export interface ProbeTools {
  readonly context: ProbeContext
  /** The id of the probe. */
  readonly id: string
  /** The id of the task in the events of the probe. */
  readonly taskId: string
  /** @param timeout milliseconds to wait for a response; at most the timeout of the command */
  send(request: ProbeRequest, timeout?: number): Promise<ProbeResponse>
}

/** One test of a webhook endpoint. */
export interface Probe {
  readonly id: string
  /** Describes the request. */
  readonly title: string
  /** Describes the response of a correct receiver. */
  readonly expected: string
  /** Whether a correct receiver rejects the request. From a receiver that rejects every request, this proves nothing. */
  readonly expectsRejection?: boolean
  run(tools: ProbeTools): Promise<readonly ProbeResponse[]>
  assess(responses: readonly ProbeResponse[]): Assessment
}

/** Sends one request. */
export function once(buildRequest: (tools: ProbeTools) => Awaitable<ProbeRequest>): Probe['run'] {
  return async (tools) => [await tools.send(await buildRequest(tools))]
}

/** Sends requests one after the other. */
export function inSequence(
  buildRequests: (tools: ProbeTools) => readonly Awaitable<ProbeRequest>[],
): Probe['run'] {
  return async (tools) => {
    const responses: ProbeResponse[] = []
    for (const request of buildRequests(tools)) responses.push(await tools.send(await request))
    return responses
  }
}

/** Sends requests at the same time. */
export function concurrently(
  buildRequests: (tools: ProbeTools) => readonly Awaitable<ProbeRequest>[],
): Probe['run'] {
  return async (tools) => {
    const requests = await Promise.all(buildRequests(tools))
    return Promise.all(requests.map((request) => tools.send(request)))
  }
}
