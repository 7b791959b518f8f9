import * as v from 'valibot'
import { DELIVERY_STATES } from '../../engine/webhooks/deliveries/delivery.js'
import { TASK_EVENTS } from '../../engine/webhooks/events/task-event.js'
import {
  closed,
  count,
  field,
  flag,
  headers,
  instant,
  job,
  list,
  mapping,
  name,
  numberFrom,
  oneOf,
  ordinal,
  place,
  planned,
  text,
  webUrl,
  wholeFrom,
} from './leaves.js'
import { addressee } from './receiver-rows.js'
import { webhookFault } from './settings.js'

const attempt = closed({
  number: ordinal,
  startedAt: instant,
  /** In milliseconds of real time. */
  took: numberFrom(0),
  status: v.optional(wholeFrom(0, 999)),
  error: v.optional(text),
  retryAt: v.optional(planned),
  /** The body is missing if it is the payload. */
  sent: closed({ headers, body: v.optional(place) }),
  flaw: v.optional(text),
  answer: v.optional(
    closed({
      status: wholeFrom(0, 999),
      headers: field(mapping<string>((value) => typeof value === 'string', 'an object of headers')),
      body: v.optional(text),
      partial: v.optional(text),
    }),
  ),
})

const delivery = {
  id: v.pipe(text, v.regex(/^[\w-]{1,100}_[0-9a-z]{8,11}$/, 'the id of a delivery, such as dlv_00000001')),
  taskId: text,
  format: name,
  event: text,
  taskEvent: oneOf(TASK_EVENTS),
  url: webUrl,
  registration: v.optional(text),
  isOwn: v.optional(flag),
  createdAt: instant,
  payload: place,
  headers: v.optional(headers),
  rule: v.optional(text),
  copyOf: v.optional(text),
}

const changing = { state: oneOf(DELIVERY_STATES), nextAt: v.optional(planned), attempts: list(attempt) }

const WAITS = ['barrier', 'answer', 'turn', 'attempt', 'retry'] as const

/** The fields of a delivery that change. */
export const deliveryCourseRow = v.pipe(
  closed({
    ...changing,
    wait: v.optional(
      v.union(
        [
          closed({ for: oneOf(['turn', 'attempt']), number: count }),
          closed({ for: oneOf(['barrier', 'answer', 'retry']), job }),
        ],
        `an object with \`for\`, one of ${WAITS.join(', ')}, and a \`job\` or a \`number\``,
      ),
    ),
    /** Its place in the order of the ends; missing while it is pending. */
    ended: v.optional(count),
  }),
  v.check(
    ({ state, wait, ended }) =>
      (state === 'pending') === (wait !== undefined) && (wait === undefined) === (ended !== undefined),
    'a `wait` while it is pending, and its place in `ended` afterwards',
  ),
)

/** The first row of a delivery. Its payload is stored once, even if several attempts have sent it. */
export const deliveryRow = closed({
  ...delivery,
  receiver: v.optional(addressee),
  fault: v.optional(webhookFault),
  isForced: v.optional(flag),
  course: deliveryCourseRow,
})

/** A delivery as the journal has recorded it. */
export const recordedDelivery = closed({ ...delivery, ...changing })
