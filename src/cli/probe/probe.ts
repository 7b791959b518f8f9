import type { Mark } from '../report/report.js'
import type { ProbeContext } from './context.js'
import type { ProbeRequest, ProbeResponse } from './send-request.js'

/** The result of a probe. */
export interface Assessment {
  readonly mark: Mark
  /** Why it matters in production; empty if the probe passed. */
  readonly why: string
  readonly remedy: string
}

/** The tools of a probe. */
export interface ProbeTools {
  readonly context: ProbeContext
  /** The id of the task in its events. */
  readonly taskId: string
  /** @param timeout milliseconds to wait for a response; at most the timeout of the command */
  send(request: ProbeRequest, timeout?: number): Promise<ProbeResponse>
}

/** One test of a webhook endpoint. */
export interface Probe {
  readonly id: string
  /** The request that it sends. */
  readonly title: string
  /** The response of a correct receiver. */
  readonly expected: string
  /** Whether a rejection passes. A receiver that rejects everything does not prove anything by it. */
  readonly expectsRejection?: boolean
  run(tools: ProbeTools): Promise<readonly ProbeResponse[]>
  assess(responses: readonly ProbeResponse[]): Assessment
}

/** Sends one request. */
export function once(make: (tools: ProbeTools) => ProbeRequest): Probe['run'] {
  return async (tools) => [await tools.send(make(tools))]
}

/** Sends requests one after the other. */
export function inSequence(make: (tools: ProbeTools) => readonly ProbeRequest[]): Probe['run'] {
  return async (tools) => {
    const responses: ProbeResponse[] = []
    for (const request of make(tools)) responses.push(await tools.send(request))
    return responses
  }
}

/** Sends requests at the same time. */
export function concurrently(make: (tools: ProbeTools) => readonly ProbeRequest[]): Probe['run'] {
  return (tools) => Promise.all(make(tools).map((request) => tools.send(request)))
}
