import type { RequestPlace } from '../../engine/exploration/place.js'
import type { Fault } from '../../engine/requests/fault.js'
import type { OperationName } from '../../engine/requests/operations.js'
import {
  type Deviation,
  type DeviationClass,
  deviation,
  type Effect,
  each,
  hasOutput,
  SLOW,
  UNKNOWN_STATUS,
} from './deviation.js'

const RETRY_AFTER = 5_000

/** Operations that change something, so that it matters whether a request without an answer was executed. */
const CHANGING = /\.(?:create|cancel|cancel_queued|delete|upload|update|rotate_secret)$/
/** Operations whose answers may have no body. */
const WITHOUT_BODY = /\.(?:delete|download)$|^webhooks\.ping$/

type RequestTest = (place: RequestPlace) => boolean

/** Defines a fault of requests. */
function answer(
  word: string,
  kind: DeviationClass,
  title: string,
  effect: Effect & { readonly fault: Fault },
  applies: RequestTest = () => true,
): Deviation {
  return deviation('request', word, kind, title, (place) => (applies(place) ? effect : undefined))
}

const isChanging: RequestTest = ({ operation }) => CHANGING.test(operation)
const isStream: RequestTest = ({ operation }) => operation === 'tasks.stream'
const hasBody: RequestTest = ({ operation }) => !WITHOUT_BODY.test(operation)
const hasJson: RequestTest = (place) => hasBody(place) && !isStream(place)

const of =
  (...operations: readonly OperationName[]): RequestTest =>
  ({ operation }) =>
    operations.includes(operation)

const ENDS: readonly unknown[] = ['succeeded', 'failed', 'canceled']
/** The last answer about a task that has ended showed another state. */
const hasEarlierState: RequestTest = ({ operation, shows }) =>
  (operation === 'tasks.retrieve' || operation === 'tasks.result') && ENDS.includes(shows)

/** What a client may get in place of the answer to a request. */
export const ANSWERS: readonly Deviation[] = [
  answer('429', 'transient', 'a rate limit rejects the request', {
    fault: { status: 429, retry_after: RETRY_AFTER },
    delays: RETRY_AFTER,
  }),
  answer(
    '500',
    'either',
    'an internal error rejects the request',
    { fault: { status: 500 } },
    of('tasks.create'),
  ),
  answer('503', 'transient', 'the service is unavailable', { fault: { status: 503 } }),
  answer(
    '504',
    'transient',
    'a gateway answers 504 although the request was executed',
    { fault: { status: 504, executed: true } },
    isChanging,
  ),
  answer('html', 'transient', 'a proxy answers with an HTML page', { fault: { status: 502, body: 'html' } }),
  answer('reset', 'transient', 'the connection is reset', { fault: { reset: 'before' } }),
  answer(
    'lost',
    'transient',
    'the answer is lost',
    { fault: { reset: 'before', executed: true } },
    isChanging,
  ),
  answer(
    'unanswered',
    'transient',
    'the request is executed and never answered',
    { fault: { hang: true, executed: true } },
    isChanging,
  ),
  answer(
    'cut',
    'transient',
    'the connection ends in the middle of the body',
    { fault: { cut: 0.5 } },
    hasBody,
  ),
  answer('empty', 'transient', 'the body is empty', { fault: { body: 'empty' } }, hasJson),
  answer(
    'invalid_json',
    'transient',
    'the body is not valid JSON',
    { fault: { body: 'invalid_json' } },
    hasJson,
  ),
  answer(
    'stale',
    'transient',
    'the answer shows an earlier state',
    { fault: { stale: true } },
    hasEarlierState,
  ),
  answer('slow', 'transient', 'the answer takes 30 seconds', { fault: { delay: SLOW }, delays: SLOW }),
  answer('hang', 'transient', 'the request is never answered', { fault: { hang: true } }),
  deviation('request', 'unknown_status', 'either', 'one answer has an unknown state', (place, { traits }) =>
    place.operation === 'tasks.retrieve' && traits?.statusField !== undefined
      ? { fault: { patch: { [traits.statusField]: UNKNOWN_STATUS } } }
      : undefined,
  ),
  deviation('request', 'no_output', 'either', 'one answer lacks the output', (place, { traits }) =>
    place.operation === traits?.showsOutput && place.shows === 'succeeded' && hasOutput(traits)
      ? { fault: { patch: each(traits.outputFields, null) } }
      : undefined,
  ),
]

const ABOUT_TASK = [
  'tasks.retrieve',
  'tasks.result',
  'tasks.cancel',
  'tasks.cancel_queued',
  'tasks.delete',
  'tasks.stream',
] as const
const ABOUT_OTHER = [
  'files.retrieve',
  'files.delete',
  'webhooks.retrieve',
  'webhooks.update',
  'webhooks.delete',
] as const

/**
 * The statuses with which a service may reject a request for good. One that a service sends for a while only, such as a
 * 404 before all of its servers know a task, does not last.
 */
export const REJECTIONS: readonly Deviation[] = [
  rejection(
    400,
    'the service calls the request invalid',
    of('tasks.create', 'files.upload', 'webhooks.create', 'webhooks.update'),
  ),
  rejection(401, 'the key is rejected', (place) => !isStream(place)),
  rejection(402, 'the credits are used up', of('tasks.create')),
  rejection(403, 'the key may not do this', (place) => !isStream(place)),
  deviation('request', '404', 'permanent', 'the service does not find what the request names', (place) =>
    of('tasks.create', ...ABOUT_TASK, ...ABOUT_OTHER)(place)
      ? { fault: { status: 404 }, repeats: place.operation === 'tasks.create' ? 'always' : undefined }
      : undefined,
  ),
  answer(
    '409',
    'permanent',
    'the task has ended already',
    { fault: { status: 409 } },
    of('tasks.cancel', 'tasks.cancel_queued', 'tasks.delete'),
  ),
]

/** A rejection that each repetition of the request gets as well. */
function rejection(status: number, title: string, applies: RequestTest): Deviation {
  return answer(String(status), 'permanent', title, { fault: { status }, repeats: 'always' }, applies)
}
