import * as v from 'valibot'
import { nameInUrl, validType } from '../../engine/assets/upload.js'
import { isSpeed, SPEED_FORM } from '../../engine/clock/clock.js'
import { isSupportedInstant } from '../../engine/clock/instants.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { DELIVERY_STATES } from '../../engine/webhooks/deliveries/delivery.js'
import { RULE_LISTS } from '../../inspect/applied/application-counters.js'
import { DURATION_BOUNDS } from '../../inspect/journal/event-counters.js'
import { deliveryCourseRow, deliveryRow } from './delivery-rows.js'
import { journalRow } from './journal-row.js'
import {
  closed,
  count,
  field,
  flag,
  instant,
  job,
  json,
  list,
  milliseconds,
  name,
  numberFrom,
  oneOf,
  ordinal,
  planned,
  text,
  wholeFrom,
} from './leaves.js'
import { tuple } from './own-schemas.js'
import { clientReceiverRow, receiversRow } from './receiver-rows.js'
import { layer } from './settings.js'
import { courseRow, taskRow } from './task-rows.js'

const speed = v.pipe(
  v.number(SPEED_FORM),
  v.check((value) => value === 0 || isSpeed(value), `0, or ${SPEED_FORM}`),
)

const DAY = 86_400_000
const NOW_FORM = 'epoch milliseconds in the years 1 to 9999, before their last day'

/** The time of a clock that can go on. */
const now = v.pipe(
  v.number(NOW_FORM),
  v.check((at) => isSupportedInstant(at) && isSupportedInstant(at + DAY), NOW_FORM),
)

const meta = closed({
  seed: text,
  clock: closed({ speed, now, wall: instant }),
  isDated: v.optional(flag),
  hasForgotten: flag,
  filling: v.optional(job),
})

/** At most as many as a scenario may have values. */
const length = wholeFrom(0, 60_000)
/** The lines of rules in the text of a scenario. */
const fileLines = list(count)

/** A scenario as it was written, so that a later version of tasksim adds the defaults of its new settings. */
const scenario = closed({
  name: text,
  text: v.optional(v.union([text, v.null()], 'a string or null')),
  layer,
  sources: field(
    list(
      closed({
        name: text,
        isShipped: flag,
        lengths: closed({ rules: length, faults: length, 'webhooks.faults': length }),
        lines: v.optional(closed({ rules: fileLines, faults: fileLines, 'webhooks.faults': fileLines })),
      }),
    ),
  ),
  isRecording: flag,
})

/** How often something occurred. A table of fingerprints has 32 bits for it. */
const occurrences = wholeFrom(1, 2 ** 32 - 1)

const uploadId = v.pipe(text, v.regex(/^[a-z0-9]{24}$/, '24 lower-case letters and digits'))

const upload = closed({
  id: uploadId,
  owner: text,
  dialect: v.optional(name),
  name: v.pipe(
    text,
    v.check((given) => nameInUrl(given) === given, 'a name of at most 200 characters'),
  ),
  contentType: v.pipe(
    text,
    v.check((given) => validType(given) === given, 'a content type such as image/png'),
  ),
  kept: v.optional(json),
  isInParts: v.optional(flag),
  ownId: v.optional(text),
  processing: v.optional(milliseconds),
  isAnnounced: flag,
  isComplete: flag,
  /** Of its bytes, which are rows of another kind. */
  size: count,
  sha256: v.pipe(text, v.regex(/^(?:[0-9a-f]{64})?$/, 'a SHA-256 in lower-case hex')),
  createdAt: instant,
  expiresAt: planned,
  readyAt: v.optional(planned),
  identity: count,
})

const statuses = list(tuple(wholeFrom(0, 999), count))
const requests = list(tuple(text, statuses))
const named = list(tuple(text, count))

const counters = closed({
  tasks: closed(record(STATUSES)),
  requests,
  undelivered: requests,
  faults: named,
  durations: tuple(
    v.pipe(
      list(count),
      v.check(
        (counts) => counts.length === DURATION_BOUNDS.length + 1,
        `${DURATION_BOUNDS.length + 1} counts`,
      ),
    ),
    count,
    numberFrom(0),
  ),
  attempts: count,
  spent: count,
  // A state of an earlier version has none.
  applications: v.optional(list(tuple(oneOf(RULE_LISTS), named))),
})

/** What a sandbox is built from, besides its scenario. */
const sandbox = closed({
  identity: closed({
    id: v.pipe(text, v.regex(/^[\w-]{1,100}$/, 'letters, digits, `-` and `_`')),
    name: text,
    key: v.pipe(text, v.regex(/^[\w-]{1,100}$/, 'letters, digits, `-` and `_`')),
    root: text,
  }),
  idle: milliseconds,
  own: closed({
    seed: field(v.union([text, v.number()], 'a string or a number')),
    clock: field(oneOf(['real', 'manual'])),
    speed: field(
      v.pipe(
        v.number(SPEED_FORM),
        v.check((value) => isSpeed(value), SPEED_FORM),
      ),
    ),
    start: field(v.union([text, v.number()], 'an instant')),
    webhookSecret: field(name),
  }),
})

function record<const Names extends readonly string[]>(names: Names) {
  return Object.fromEntries(names.map((each) => [each, count])) as Record<Names[number], typeof count>
}

/** A value of a table: the index of the table, the key and the value. */
const inTable = <Value extends v.GenericSchema>(value: Value) => tuple(count, text, value)

/** What a row of each kind contains, by its number. The row with the number 0 may differ from the others. */
export const ROWS = {
  meta: { first: meta, others: meta },
  scenario: { first: instant, others: scenario },
  requests: { first: count, others: count },
  spent: every(inTable(count)),
  limit: every(inTable(closed({ at: instant, left: numberFrom(0) }))),
  // The keys of the first table are fingerprints.
  fault: every(
    v.union([tuple(v.literal(0), count, occurrences), tuple(ordinal, text, count)], 'a count of a fault'),
  ),
  'webhook fault count': every(inTable(count)),
  'upload occurrences': every(occurrences),
  'upload part': every(closed({ upload: uploadId })),
  upload: every(upload),
  receiver: { first: receiversRow, others: clientReceiverRow },
  'registration count': every(occurrences),
  occurrences: every(occurrences),
  task: every(taskRow),
  course: every(courseRow),
  delivery: every(deliveryRow),
  'delivery course': every(deliveryCourseRow),
  'delivery tally': every(closed({ opened: count, counts: closed(record(DELIVERY_STATES)) })),
  counters: every(counters),
  journal: every(journalRow),
  sandbox: { first: count, others: sandbox },
}

function every<Schema extends v.GenericSchema>(schema: Schema) {
  return { first: schema, others: schema }
}
