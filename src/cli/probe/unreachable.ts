import type { ReportLine } from '../report/report.js'
import type { ProbeResponse } from './send-request.js'

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
export function unreachable(url: string, responses: readonly ProbeResponse[]): ReportLine | undefined {
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
