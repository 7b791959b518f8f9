import * as v from 'valibot'
import { OBSERVABLE } from '../../engine/observation.js'
import type { RequestNote } from '../../engine/requests/answered-request.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { recordedDelivery } from './delivery-rows.js'
import {
  closed,
  count,
  field,
  flag,
  instant,
  list,
  mapping,
  numberFrom,
  oneOf,
  ordinal,
  text,
  visible,
  wholeFrom,
} from './leaves.js'
import { tuple, variant } from './own-schemas.js'
import { registeredReceiver } from './receiver-rows.js'
import { fault } from './settings.js'
import { recordedTask } from './task-rows.js'

const cause = v.union(
  [
    closed({
      code: text,
      cause: v.optional(text),
      message: text,
      param: v.optional(text),
      limit: v.optional(text),
      known: v.optional(closed({ name: text, reason: text })),
    }),
    closed({ fault, rule: text }),
  ],
  'the `code` of a rejection, or a `fault`',
)

/** Headers as a client or an operation has sent them. One that was sent several times may have several values. */
const someHeaders = mapping<string | string[]>(
  (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
  'an object of headers',
)

/** The headers of an exchange as they were sent, with their secrets. */
const sentHeaders = closed({
  request: v.union([someHeaders, list(tuple(text, text))], 'headers'),
  response: someHeaders,
  keyHeader: v.optional(text),
  secrets: list(text),
})

/** Every detail of a request, so that a new one cannot be forgotten here. */
const NOTE = {
  place: field(text),
  ended: field(
    closed({ on: text, replaced_by: field(text), still_served_by: field(text), source: field(text) }),
  ),
  isAltered: field(flag),
  observed: field(list(closed({ id: text, status: oneOf(STATUSES) }))),
  bodyHash: field(count),
  unknownFields: field(list(text)),
  knownFields: field(list(text)),
  wait: field(numberFrom(0)),
  lastArrived: field(text),
  nextCursor: field(text),
  hasFiles: field(flag),
  pathForm: field(text),
  hasAuthorization: field(flag),
  file: field(count),
  isPart: field(flag),
  refused: field(closed({ why: oneOf(['expired', 'tampered', 'gone']), expiredAt: v.optional(instant) })),
  unanswered: field(closed({ closed: field(closed({ at: instant, realAt: instant })) })),
  isStream: field(flag),
  replay: field(oneOf(['recorded', 'learned'])),
  requestBody: field(text),
  responseBody: field(text),
  cause: field(cause),
  headers: field(sentHeaders),
} satisfies Record<keyof RequestNote, v.GenericSchema>

const request = closed({
  id: visible,
  at: instant,
  realAt: instant,
  answeredAt: instant,
  method: text,
  path: text,
  query: text,
  dialect: v.optional(text),
  operation: v.optional(text),
  status: wholeFrom(0, 999),
  delivered: flag,
  retryAfter: v.optional(numberFrom(0)),
  key: text,
  taskId: v.optional(text),
  fault: v.optional(text),
  took: numberFrom(0),
  note: closed(NOTE),
})

const place = { number: ordinal, at: instant }

const entry = variant('type', [
  closed({ ...place, type: v.literal('request'), request }),
  closed({ ...place, type: v.literal('task'), task: recordedTask }),
  closed({
    ...place,
    type: v.literal('forgotten'),
    taskId: text,
    reason: oneOf(['evicted', 'deleted']),
  }),
  closed({
    ...place,
    type: v.literal('delivery'),
    delivery: recordedDelivery,
    attempt: v.optional(ordinal),
  }),
  closed({ ...place, type: v.literal('receiver'), receiver: registeredReceiver }),
  closed({
    ...place,
    type: v.literal('control'),
    what: oneOf(['clock', 'scenario', 'reset', 'hold', 'release']),
    taskId: v.optional(text),
    detail: v.optional(text),
  }),
  closed({
    ...place,
    type: v.literal('observation'),
    observation: closed({
      what: oneOf(OBSERVABLE),
      taskId: text,
      by: v.optional(text),
      as: v.optional(oneOf(['url', 'file'])),
    }),
  }),
])

/** Entries of the journal, which follow each other. */
export const journalRow = closed({
  /** The number of the oldest entry of the journal when the row was written. */
  oldest: ordinal,
  /** The number of the last entry that was evicted; 0 if none was. */
  evicted: count,
  entries: v.pipe(
    list(entry),
    v.minLength(1, 'one or more entries'),
    v.check(
      (entries) => entries.every(({ number }, index) => number === (entries[0]?.number ?? 0) + index),
      'entries whose numbers follow each other',
    ),
  ),
})
