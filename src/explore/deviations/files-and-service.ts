import type { Fault } from '../../engine/requests/fault.js'
import { type Deviation, type DeviationClass, deviation, type Effect, SLOW } from './deviation.js'

/** Defines a fault of a download. */
function download(
  word: string,
  kind: DeviationClass,
  title: string,
  fault: Fault,
  more: Pick<Effect, 'delays' | 'repeats'> = {},
): Deviation {
  return deviation('file', word, kind, title, () => ({ fault, ...more }))
}

/** Where the service renews URLs, the same one stays expired. */
const EXPIRED = deviation(
  'file',
  'expired',
  'either',
  'the URL of the file has expired',
  (_, { traits }) => ({
    fault: { status: 403 },
    ...(traits?.renewsUrls === true && { repeats: 'until_renewed' }),
  }),
)

/** What may happen to a download. */
export const FILES: readonly Deviation[] = [
  download('503', 'transient', 'the file server is unavailable', { status: 503 }),
  download('reset', 'transient', 'the connection of the download is reset', { reset: 'before' }),
  download('hang', 'transient', 'the download is never answered', { hang: true }),
  download('cut', 'transient', 'the download ends in the middle', { cut: 0.5 }),
  download('slow', 'transient', 'the download starts after 30 seconds', { delay: SLOW }, { delays: SLOW }),
  EXPIRED,
  download('redirect', 'either', 'the download is redirected', { status: 302 }),
  download('404', 'permanent', 'the service does not find the file', { status: 404 }),
  download(
    '410',
    'permanent',
    'the service does not keep the file any longer',
    { status: 410 },
    { repeats: 'always' },
  ),
]

/** Defines an outage of the whole service. */
function outage(word: string, kind: DeviationClass, title: string, lasts?: number): Deviation {
  const effect = { fault: { status: 503 }, lasts, delays: lasts ?? 0 }
  return deviation('service', word, kind, title, () => effect)
}

/** What may happen to the whole service. */
export const SERVICE: readonly Deviation[] = [
  outage('outage_30s', 'transient', 'the service is unavailable for 30 seconds', 30_000),
  outage('outage_5m', 'permanent', 'the service is unavailable for 5 minutes', 300_000),
  outage('outage', 'permanent', 'the service stays unavailable'),
]
