import type { ArmedDeviation, ReachedPlace } from '../engine/exploration/exploration.js'
import type { Place, RequestPlace } from '../engine/exploration/place.js'
import type { Fault } from '../engine/requests/fault.js'
import type { OperationName } from '../engine/requests/operations.js'
import { isEndEvent } from '../engine/webhooks/events/task-event.js'
import type { WebhookFault } from '../engine/webhooks/faults/webhook-fault.js'

/**
 * What a correct client makes of a deviation: it recovers from a `transient` one, reports a `permanent` one, may do
 * either, or rejects a `forgery`.
 */
export type DeviationClass = 'transient' | 'permanent' | 'either' | 'forgery'

/** What the simulator does because of a deviation. */
export interface Effect extends Omit<ArmedDeviation, 'id' | 'place'> {
  /** What tells effects of the same word apart, such as the code of an error. */
  readonly variant?: string
  /** How much longer a correct client may take because of it, in milliseconds on the clock; 0 by default. */
  readonly delays?: number
}

/** Something that can go wrong. */
export interface Deviation {
  /** As the pages about faults and webhooks call it. */
  readonly word: string
  /** The places where it can happen. */
  readonly type: Place['type']
  readonly class: DeviationClass
  /** A few words for reports, such as `the answer is lost`. */
  readonly title: string
  /**
   * What the simulator does at a place of its type: one entry for each run, none if the deviation cannot happen there.
   * @param places all places of the baseline
   */
  at(place: ReachedPlace, places: readonly ReachedPlace[]): readonly Effect[]
}

const RETRY_AFTER = 5_000
const SLOW = 30_000
/** The simulator sends a held webhook after this time at the latest. */
const HELD = 60_000

/** Operations that change something, so that it matters whether a request without an answer was executed. */
const CHANGING = /\.(?:create|cancel|cancel_queued|delete|upload|update|rotate_secret)$/
/** Operations whose answers may have no body. */
const WITHOUT_BODY = /\.(?:delete|download)$|^webhooks\.ping$/

type At<Type extends Place['type']> = (
  place: Extract<Place, { type: Type }>,
  reached: ReachedPlace,
  places: readonly ReachedPlace[],
) => Effect | readonly Effect[] | undefined

/** Defines the deviation of one type of place. */
function deviation<Type extends Place['type']>(
  type: Type,
  word: string,
  kind: DeviationClass,
  title: string,
  at: At<Type>,
): Deviation {
  return {
    word,
    type,
    class: kind,
    title,
    at(reached, places) {
      if (reached.place.type !== type) return []
      const effects = at(reached.place as Extract<Place, { type: Type }>, reached, places)
      return effects === undefined ? [] : [effects].flat()
    },
  }
}

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
const hasBody: RequestTest = (place) => !WITHOUT_BODY.test(place.operation) && !isStream(place)

const of =
  (...operations: readonly OperationName[]): RequestTest =>
  ({ operation }) =>
    operations.includes(operation)

const ENDS: readonly unknown[] = ['succeeded', 'failed', 'canceled']
/** The last answer about a task that has ended showed another state. */
const hasEarlierState: RequestTest = ({ operation, shows }) =>
  (operation === 'tasks.retrieve' || operation === 'tasks.result') && ENDS.includes(shows)

const ANSWERS: readonly Deviation[] = [
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
  answer('empty', 'transient', 'the body is empty', { fault: { body: 'empty' } }, hasBody),
  answer(
    'invalid_json',
    'transient',
    'the body is not valid JSON',
    { fault: { body: 'invalid_json' } },
    hasBody,
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
    place.operation === 'tasks.retrieve' && place.shows === 'succeeded' && hasOutput(traits)
      ? { fault: { patch: without(traits.outputFields) } }
      : undefined,
  ),
]

const UNKNOWN_STATUS = 'archived'

type Traits = ReachedPlace['traits']

function hasOutput(traits: Traits): traits is NonNullable<Traits> {
  return traits !== undefined && traits.outputFields.length > 0
}

/** A patch that removes fields. */
function without(fields: readonly string[]): Record<string, null> {
  return Object.fromEntries(fields.map((field) => [field, null]))
}

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

const REJECTIONS: readonly Deviation[] = [
  rejection(
    400,
    'the service calls the request invalid',
    of('tasks.create', 'files.upload', 'webhooks.create', 'webhooks.update'),
  ),
  rejection(401, 'the key is rejected', (place) => !isStream(place)),
  rejection(402, 'the credits are used up', of('tasks.create')),
  rejection(403, 'the key may not do this', (place) => !isStream(place)),
  rejection(404, 'the service knows no such thing', of('tasks.create', ...ABOUT_TASK, ...ABOUT_OTHER)),
  rejection(409, 'the task has ended already', of('tasks.cancel', 'tasks.cancel_queued', 'tasks.delete')),
]

function rejection(status: number, title: string, applies: RequestTest): Deviation {
  return answer(String(status), 'permanent', title, { fault: { status } }, applies)
}

/** Defines an other course of tasks that would succeed. */
function course(
  word: string,
  kind: DeviationClass,
  title: string,
  effects: (traits: NonNullable<Traits>) => Effect | readonly Effect[] | undefined,
): Deviation {
  return deviation('task', word, kind, title, (_, { traits }) =>
    traits === undefined || (traits.outcome ?? 'succeeded') !== 'succeeded' ? undefined : effects(traits),
  )
}

const TASKS: readonly Deviation[] = [
  course('failed', 'permanent', 'the task fails', ({ errors = [] }) =>
    errors.length === 0
      ? { plan: { outcome: 'failed' } }
      : errors.map((error) => ({ variant: error.code, plan: { outcome: 'failed' as const, error } })),
  ),
  course('filtered', 'permanent', 'a content filter rejects the output', () => ({
    plan: {
      outcome: 'failed',
      error: { code: 'content_policy', message: 'The output was rejected by the content filter.' },
    },
  })),
  course('canceled', 'permanent', 'the service cancels the task', () => ({ plan: { outcome: 'canceled' } })),
  course('stuck', 'permanent', 'the task never ends', () => ({ plan: { outcome: 'stuck' } })),
  course('slower', 'either', 'the task takes ten times as long', () => ({ plan: { slower: 10 } })),
  course('no_output', 'permanent', 'the task succeeds without an output', (traits) =>
    hasOutput(traits) ? { patch: without(traits.outputFields) } : undefined,
  ),
  course('unknown_status', 'permanent', 'the task ends in an unknown state', ({ statusField }) =>
    statusField === undefined ? undefined : { patch: { [statusField]: UNKNOWN_STATUS } },
  ),
  course('missing_fields', 'either', 'the task lacks its optional fields', ({ optionalFields }) =>
    optionalFields.length === 0 ? undefined : { patch: without(optionalFields) },
  ),
]

/** Defines a fault of a webhook that arrives in another way. */
function delivery(word: string, title: string, webhook: WebhookFault, delays = 0): Deviation {
  return deviation('webhook', word, 'transient', title, () => ({ webhook, delays }))
}

/** Defines a webhook that a receiver must reject. */
function forgery(word: string, title: string, webhook: WebhookFault): Deviation {
  return deviation('webhook', word, 'forgery', title, (_, { traits }) => {
    const isPossible = webhook.signature === 'old_timestamp' ? traits?.signsTime : traits?.isSigned
    return isPossible === true ? { webhook, delays: traits?.retry ?? 0 } : undefined
  })
}

const WEBHOOKS: readonly Deviation[] = [
  delivery('lost', 'the webhook is lost', { lost: true }),
  delivery('duplicate', 'the webhook arrives twice', { duplicate: 'in_turn' }),
  delivery('duplicate_at_once', 'the webhook arrives twice at the same time', { duplicate: 'at_once' }),
  delivery('late', 'the webhook arrives after the poll', { timing: 'after_poll' }, HELD),
  deviation(
    'webhook',
    'early',
    'transient',
    'the webhook arrives before the answer to the create request',
    ({ event }) => (isEndEvent(event) ? { webhook: { timing: 'before_response' } } : undefined),
  ),
  deviation('webhook', 'reordered', 'transient', 'the webhook arrives after the next one', (_, __, places) =>
    places.filter(({ place }) => place.type === 'webhook').length > 1
      ? { webhook: { timing: 'out_of_order' }, delays: HELD }
      : undefined,
  ),
  forgery('no_signature', 'a webhook without a signature', { signature: 'missing' }),
  forgery('empty_signature', 'a webhook with an empty signature', { signature: 'empty' }),
  forgery('malformed_signature', 'a webhook with a malformed signature', { signature: 'malformed' }),
  forgery('wrong_signature', 'a webhook with a wrong signature', { signature: 'wrong' }),
  forgery('old_timestamp', 'a webhook whose signature is an hour old', { signature: 'old_timestamp' }),
  forgery('changed', 'a webhook whose body was changed', { body: 'changed' }),
  forgery('truncated', 'a webhook whose body was cut', { body: 'truncated' }),
]

/** Defines a fault of a download. */
function download(word: string, kind: DeviationClass, title: string, fault: Fault, delays = 0): Deviation {
  return deviation('file', word, kind, title, () => ({ fault, delays }))
}

const FILES: readonly Deviation[] = [
  download('503', 'transient', 'the file server is unavailable', { status: 503 }),
  download('reset', 'transient', 'the connection of the download is reset', { reset: 'before' }),
  download('hang', 'transient', 'the download is never answered', { hang: true }),
  download('cut', 'transient', 'the download ends in the middle', { cut: 0.5 }),
  download('slow', 'transient', 'the download starts after 30 seconds', { delay: SLOW }, SLOW),
  download('expired', 'either', 'the URL of the file has expired', { status: 403 }),
  download('redirect', 'either', 'the download is redirected', { status: 302 }),
  download('404', 'permanent', 'the file is gone', { status: 404 }),
]

/** Defines an outage of the whole service. */
function outage(word: string, kind: DeviationClass, title: string, lasts?: number): Deviation {
  const effect = { fault: { status: 503 }, lasts, delays: lasts ?? 0 }
  return deviation('service', word, kind, title, () => effect)
}

const SERVICE: readonly Deviation[] = [
  outage('outage_30s', 'transient', 'the service is unavailable for 30 seconds', 30_000),
  outage('outage_5m', 'permanent', 'the service is unavailable for 5 minutes', 300_000),
  outage('outage', 'permanent', 'the service stays unavailable'),
]

/** All deviations, in the order in which a place has them. */
export const DEVIATIONS: readonly Deviation[] = [
  ...ANSWERS,
  ...REJECTIONS,
  ...TASKS,
  ...WEBHOOKS,
  ...FILES,
  ...SERVICE,
]

/** The words of all deviations. */
export const DEVIATION_WORDS: readonly string[] = [...new Set(DEVIATIONS.map(({ word }) => word))]

/**
 * The deviation with a word at a type of place.
 * @param word the word, with its variant or without, such as `failed` or `failed.out_of_memory`
 */
export function deviationOf(type: Place['type'], word: string): Deviation | undefined {
  const [name] = word.split('.')
  return DEVIATIONS.find((each) => each.type === type && each.word === name)
}
