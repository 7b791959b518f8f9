import type { Judged } from '../verdict/judged.js'
import type { Echo } from './exchange.js'

/** The system's words for a connection that does not come about. */
const NO_CONNECTION = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
]

/** The verdict on an endpoint to which no connection can be made; undefined where one could. */
export function unreachable(url: string, answers: readonly Echo[]): Judged | undefined {
  const failed = answers.find(({ code }) => code !== undefined && NO_CONNECTION.includes(code))
  if (failed === undefined) return undefined
  const { host } = new URL(url)
  const isRefused = failed.code === 'ECONNREFUSED'
  return {
    id: 'unreachable',
    mark: 'error',
    title: isRefused ? `Nothing listens at ${host}` : `Cannot connect to ${host}`,
    seen: [failed.error ?? ''],
    why: 'No probe was sent, so that nothing can be said of the receiver.',
    remedy: isRefused
      ? 'Start the receiver, or correct the host and the port of --webhook.'
      : 'Correct the host of --webhook, or look into the network.',
    details: { url },
  }
}
