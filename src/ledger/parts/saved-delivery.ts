import type * as v from 'valibot'
import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { SavedWait } from '../../engine/webhooks/deliveries/delivery-sender.js'
import type { PendingDelivery, Wait } from '../../engine/webhooks/deliveries/pending-deliveries.js'
import type { recordedDelivery } from '../rows/delivery-rows.js'
import type { RowContent } from '../state-part.js'
import { type BytesReader, BytesWriter } from './bytes-list.js'

/** The fields of a delivery that change. */
export interface DeliveryCourse {
  readonly delivery: Delivery
  readonly wait: Wait | undefined
  /** Its place in the order of the ends; undefined if it has not ended. */
  readonly ended: number | undefined
}

/** Writes a whole delivery. Its payload is stored once, even if several attempts have sent it. */
export function writeFirst(
  { state: _, nextAt: _at, attempts: _attempts, ...delivery }: Delivery,
  pending: PendingDelivery | undefined,
  course: DeliveryCourse,
): RowContent {
  const writer = new BytesWriter()
  const payload = writer.add(delivery.payload)
  const value = {
    ...delivery,
    payload,
    receiver: pending?.receiver,
    fault: pending?.fault,
    isForced: pending?.isForced,
    course: courseValue(course, writer),
  }
  return { value, bytes: writer.bytes }
}

/** Writes the fields of a delivery that have changed. */
export function writeCourse(course: DeliveryCourse): RowContent {
  const writer = new BytesWriter()
  return { value: courseValue(course, writer), bytes: writer.bytes }
}

type SavedDelivery = v.InferOutput<typeof recordedDelivery>
type SavedAttempt = SavedDelivery['attempts'][number]

/** Writes the attempts of a delivery. A body is missing if it is the payload. */
export function writeAttempts({ attempts, payload }: Delivery, writer: BytesWriter): readonly object[] {
  return attempts.map(({ sent: { headers, body }, ...attempt }) => ({
    ...attempt,
    sent: { headers, body: body === payload ? undefined : writer.add(body) },
  }))
}

/**
 * Reads a delivery.
 * @param reader reads its payload
 * @param bodies reads the bodies of its attempts
 */
export function readDelivery(saved: SavedDelivery, reader: BytesReader, bodies = reader): Delivery {
  const payload = reader.get(saved.payload)
  return {
    id: saved.id,
    taskId: saved.taskId,
    format: saved.format,
    event: saved.event,
    taskEvent: saved.taskEvent,
    url: saved.url,
    registration: saved.registration,
    isOwn: saved.isOwn,
    state: saved.state,
    createdAt: saved.createdAt,
    nextAt: saved.nextAt,
    attempts: saved.attempts.map((attempt) => readAttempt(attempt, payload, bodies)),
    payload,
    headers: saved.headers,
    rule: saved.rule,
    copyOf: saved.copyOf,
  }
}

function readAttempt(saved: SavedAttempt, payload: Delivery['payload'], bodies: BytesReader): Attempt {
  const { headers, body } = saved.sent
  return {
    number: saved.number,
    startedAt: saved.startedAt,
    took: saved.took,
    status: saved.status,
    error: saved.error,
    retryAt: saved.retryAt,
    sent: { headers, body: body === undefined ? payload : bodies.get(body) },
    flaw: saved.flaw,
    answer: saved.answer,
  }
}

function courseValue({ delivery, wait, ended }: DeliveryCourse, writer: BytesWriter): object {
  const { state, nextAt } = delivery
  return {
    state,
    nextAt,
    attempts: writeAttempts(delivery, writer),
    wait: wait && savedWait(wait),
    ended,
  }
}

function savedWait(wait: Wait): SavedWait {
  return 'number' in wait ? wait : { for: wait.for, job: [wait.job.at, wait.job.order] }
}
