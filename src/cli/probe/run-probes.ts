import type { ReportLine } from '../report/report.js'
import { taskIdFor } from './events.js'
import type { Probe, ProbeContext } from './probe.js'
import { bodyProbes } from './probes/bodies.js'
import { duplicateProbes } from './probes/duplicates.js'
import { baselineProbe, genuineProbes } from './probes/genuine.js'
import { httpProbes } from './probes/http.js'
import { replayProbes } from './probes/replays.js'
import { signatureProbes } from './probes/signatures.js'
import { type ProbeRequest, type ProbeResponse, sendRequest } from './send-request.js'

/** The endpoint, and the maximum time for a response in milliseconds. */
export interface Target {
  readonly url: string
  readonly timeout: number
}

/** Lists the probes after the first. */
function furtherProbes(context: ProbeContext): readonly Probe[] {
  return [
    ...genuineProbes(context),
    ...signatureProbes(context),
    ...replayProbes(context),
    ...bodyProbes(context),
    ...duplicateProbes(context),
    ...httpProbes(context),
  ]
}

/** Runs all probes on a webhook endpoint, one after the other. If no connection is possible, reports only that. */
export async function runProbes(target: Target, context: ProbeContext): Promise<readonly ReportLine[]> {
  const { responses, ...first } = await runProbe(baselineProbe(context), target, context, true)
  const failure = unreachable(target.url, responses)
  if (failure !== undefined) return [failure]
  const unsignedLine = unsigned(context)
  const results: ReportLine[] = [first, ...(unsignedLine === undefined ? [] : [unsignedLine])]
  const isReachable = responses.some(({ status }) => status !== undefined)
  for (const probe of furtherProbes(context)) {
    const { responses: _, ...line } = isReachable
      ? await runProbe(probe, target, context, first.mark !== 'error')
      : skipped(probe)
    results.push(line)
  }
  return results
}

type ProbeResult = ReportLine & { readonly responses: readonly ProbeResponse[] }

async function runProbe(
  probe: Probe,
  { url, timeout }: Target,
  context: ProbeContext,
  isAccepting: boolean,
): Promise<ProbeResult> {
  const { id, title, expected } = probe
  const sent: object[] = []
  const send = (request: ProbeRequest, limit = timeout) => {
    sent.push(requestRecord(request))
    return sendRequest(url, request, Math.min(limit, timeout))
  }
  const responses = await probe.run({ context, id, taskId: taskIdFor(id, { context }), send })
  const assessment = probe.assess(responses)
  const seen = [`expected ${expected}; got ${responses.map(describeResponse).join(', then ')}`]
  const details = { expected, sent, answers: responses.map(responseRecord) }
  if (assessment.mark === 'ok' && probe.expectsRejection && !isAccepting)
    return { id, title, seen, details, responses, mark: 'not_observed', ...REJECTS_ALL }
  return { id, title, seen, details, responses, ...assessment }
}

const REJECTS_ALL = {
  why: 'The receiver also rejected the genuine event, so this rejection proves nothing.',
  remedy: 'Make the receiver accept the genuine event first.',
}

function skipped({ id, title, expected }: Probe): ProbeResult {
  return {
    id,
    title,
    mark: 'not_observed',
    seen: ['skipped: the genuine event got no response'],
    why: '',
    remedy: '',
    details: { expected, sent: [], answers: [] },
    responses: [],
    isBrief: true,
  }
}

function describeResponse({ status, error, took }: ProbeResponse): string {
  return `${status ?? error} in ${Math.round(took)} ms`
}

function responseRecord({ status, error, took }: ProbeResponse): object {
  return { status, error, took_ms: Math.round(took) }
}

const MAX_BODY_BYTES = 500

function requestRecord({ method = 'POST', headers, body }: ProbeRequest): object {
  const text = new TextDecoder().decode(body.subarray(0, MAX_BODY_BYTES))
  return { method, headers, bytes: body.length, body: text }
}

/** Returns the line that explains why probes are missing, if a receiver cannot recognize a forged or changed event. */
function unsigned({ rule, dialect }: ProbeContext): ReportLine | undefined {
  if (rule === undefined) return line(...UNSIGNED, `the service of the dialect ${dialect.name} does not sign`)
  if (rule.coversBody) return undefined
  return line(...UNCOVERED, `the ${rule.hasSecret ? 'signature' : 'key'} does not depend on the body`)
}

const UNSIGNED = [
  'signature',
  'Forged, changed and recorded events',
  'Anyone who knows the URL can report the end of a task to the app.',
  "Read the task from the service before you act on an event. If the request of a task can choose a header with a key, use one, and pass it with --auth-header 'NAME: VALUE'.",
] as const

const UNCOVERED = [
  'changed',
  'A changed body',
  'Anyone who has seen an event can change it.',
  'Read the task from the service before you act on an event.',
] as const

function line(id: string, title: string, why: string, remedy: string, reason: string): ReportLine {
  return { id, title, mark: 'not_observed', seen: [`skipped: ${reason}`], why, remedy }
}

/** The system's error codes for a failed connection. */
const NO_CONNECTION = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
]

/** Returns the result for an endpoint to which no connection was possible; otherwise undefined. */
function unreachable(url: string, responses: readonly ProbeResponse[]): ReportLine | undefined {
  const failed = responses.find(({ code }) => code !== undefined && NO_CONNECTION.includes(code))
  if (failed === undefined) return undefined
  const { host } = new URL(url)
  const isRefused = failed.code === 'ECONNREFUSED'
  return {
    id: 'unreachable',
    mark: 'error',
    title: isRefused ? `Nothing listens at ${host}` : `Cannot connect to ${host}`,
    seen: [failed.error ?? ''],
    why: 'No probe was sent, so the report says nothing about the receiver.',
    remedy: isRefused
      ? 'Start the receiver, or correct the host and port of --webhook.'
      : 'Correct the host of --webhook, or check the network.',
    details: { url },
  }
}
