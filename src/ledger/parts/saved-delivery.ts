import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { SavedWait } from '../../engine/webhooks/deliveries/delivery-sender.js'
import type { PendingDelivery, Wait } from '../../engine/webhooks/deliveries/pending-delivery.js'
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

/** What {@link writeCourse} has written. */
export interface SavedCourse extends Pick<Delivery, 'state' | 'nextAt'> {
  readonly attempts: readonly SavedAttempt[]
  readonly wait?: SavedWait | undefined
  readonly ended?: number | undefined
}

type Place = ReturnType<BytesWriter['add']>

/** An attempt. Its body is missing if it is the payload. */
type SavedAttempt = Omit<Attempt, 'sent'> & {
  readonly sent: Pick<Attempt['sent'], 'headers'> & { readonly body?: Place | undefined }
}

/** Writes the attempts of a delivery. */
export function writeAttempts({ attempts, payload }: Delivery, writer: BytesWriter): readonly SavedAttempt[] {
  return attempts.map(({ sent: { headers, body }, ...attempt }) => ({
    ...attempt,
    sent: { headers, body: body === payload ? undefined : writer.add(body) },
  }))
}

/** Reads the attempts of a delivery. */
export function readAttempts(
  saved: readonly SavedAttempt[],
  payload: Delivery['payload'],
  reader: BytesReader,
): readonly Attempt[] {
  return saved.map(({ sent: { headers, body }, ...attempt }) => ({
    ...attempt,
    sent: { headers, body: body === undefined ? payload : reader.get(body) },
  }))
}

function courseValue({ delivery, wait, ended }: DeliveryCourse, writer: BytesWriter): SavedCourse {
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
