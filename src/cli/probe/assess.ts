import type { Mark } from '../report/report.js'
import type { Assessment } from './probe.js'
import type { ProbeResponse } from './send-request.js'

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
  return status !== undefined && status >= 200 && status < 300
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
