import type { Dialect } from '../../dialects/dialect.js'
import type { Awaitable } from '../../engine/awaitable.js'
import { isSuccess } from '../../engine/requests/statuses.js'
import type { SigningKeys } from '../../engine/webhooks/signing/sign-attempt.js'
import type { Mark } from '../report/report.js'
import type { ProbeRequest, ProbeResponse } from './send-request.js'
import type { SignatureRule } from './signature-rule.js'

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

/** The settings of the probes. */
export interface ProbeContext {
  /** The service whose webhooks the endpoint receives. */
  readonly dialect: Pick<Dialect, 'name' | 'taskIds' | 'answers'>
  readonly keys: SigningKeys
  /** Undefined if the service does not sign. */
  readonly rule: SignatureRule | undefined
  /** The id of the task in all events; if undefined, each probe uses its own id. */
  readonly taskId: string | undefined
  /** Whether the secret is being rotated, so that the receiver must also accept the previous secret. */
  readonly isRotating: boolean
}

/** Why a wrong response matters, and how to fix it. */
export interface Advice {
  readonly why: string
  readonly remedy: string
}

export const PASSED: Assessment = { mark: 'ok', why: '', remedy: '' }

const NO_RESPONSE: Advice = {
  why: 'The sender counts a missing response as a failure, retries, and finally drops the event. If the process crashed, the receiver also loses all later events.',
  remedy: 'Read the log of the receiver, catch every exception, and always respond.',
}

const CRASH: Advice = {
  why: 'Anyone can send this request. A 5xx makes the sender retry, and the exceptions hide real errors.',
  remedy:
    'Check the input first: compare lengths before timingSafeEqual, catch errors of JSON.parse, and answer 4xx.',
}

const REDIRECT: Advice = {
  why: 'Webhook senders do not follow redirects, so the event is lost.',
  remedy: 'Register the final URL, with the scheme and the trailing slash that the server expects.',
}

export function isAccepted({ status }: ProbeResponse): boolean {
  return isSuccess(status)
}

function isRedirect({ status }: ProbeResponse): boolean {
  return status !== undefined && status >= 300 && status < 400
}

function isCrash({ status }: ProbeResponse): boolean {
  return status !== undefined && status >= 500
}

export function isMissing({ status }: ProbeResponse): boolean {
  return status === undefined
}

/** Passes if the receiver accepts every request. */
export function mustAccept(advice: Advice, mark: Mark = 'error') {
  return (responses: readonly ProbeResponse[]): Assessment => {
    if (responses.every(isAccepted)) return PASSED
    if (responses.some(isMissing)) return { mark: 'error', ...NO_RESPONSE }
    return { mark, ...(responses.some(isRedirect) ? REDIRECT : advice) }
  }
}

/** Passes if the receiver rejects every request without an exception. */
export function mustReject(advice: Advice, mark: Mark = 'error') {
  return (responses: readonly ProbeResponse[]): Assessment =>
    responses.some(isAccepted) ? { mark, ...advice } : mustSurvive(responses)
}

/** Passes if no request causes an exception; the receiver may accept or reject it. */
export function mustSurvive(responses: readonly ProbeResponse[]): Assessment {
  if (responses.some(isMissing)) return { mark: 'error', ...NO_RESPONSE }
  return responses.some(isCrash) ? { mark: 'warning', ...CRASH } : PASSED
}

/** Fails if the receiver rejects a request. Otherwise the user must check the effect, which the probe cannot observe. */
export function mustAcceptUnobserved(advice: Advice, toCheck: Advice) {
  const assess = mustAccept(advice, 'warning')
  return (responses: readonly ProbeResponse[]): Assessment =>
    responses.every(isAccepted) ? { mark: 'not_observed', ...toCheck } : assess(responses)
}
