import { DELIVERY_STATES, type Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { SavedWait } from '../../engine/webhooks/deliveries/delivery-sender.js'
import {
  newPendingDelivery,
  type PendingDelivery,
} from '../../engine/webhooks/deliveries/pending-deliveries.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { RowValue } from '../rows/check-row.js'
import type { SavedRow, StatePart } from '../state-part.js'
import { BytesReader } from './bytes-list.js'
import { readAddressee } from './receivers.js'
import { loadDialects } from './row-checks.js'
import { EndSequence } from './row-numbers.js'
import { type DeliveryCourse, readDelivery, writeCourse, writeFirst } from './saved-delivery.js'

/** A delivery that was read, with what it waited for if it is pending. */
interface Restored {
  readonly seq: number
  readonly pending: PendingDelivery
  readonly wait: SavedWait | undefined
  /** Its place in the order of the ends. */
  readonly ended: number | undefined
}

/**
 * How many deliveries were opened, and how many are in each state: one row. It is restored after the deliveries: the
 * pending ones are counted again, because their number decreases.
 */
export function deliveryTallyPart({
  webhooks: { log },
  events,
}: SimulatorParts): StatePart<'delivery tally'> {
  return {
    kind: 'delivery tally',
    watch(changed) {
      events.on('delivery.opened', () => changed(0))
      events.on('delivery.ended', () => changed(0))
    },
    numbers: () => [0],
    write: () => ({ value: log.tally }),
    restore([row]) {
      const found = log.counts
      const { opened, counts } = row?.value ?? { opened: Infinity, counts: found }
      let last = 0
      for (const { id } of [...log.pending(), ...log.ended()]) {
        last = Math.max(last, numberOf(id))
        if (last > opened) throw new Error(`\`opened\` must be at least the number of the delivery ${id}`)
      }
      const states = DELIVERY_STATES.map((state) => [state, Math.max(counts[state], found[state])])
      log.tally = {
        opened: row?.value.opened ?? last,
        counts: { ...Object.fromEntries(states), pending: found.pending },
      }
    },
  }
}

/**
 * The deliveries: the pending ones, and the ended ones in the log. The first row of a delivery has all its fields. Later
 * changes are in a row of another kind, because a payload can be large.
 */
export function deliveryParts(parts: SimulatorParts): StatePart[] {
  const { events, tasks } = parts
  const { log, sender } = parts.webhooks
  const ends = new EndSequence()
  /** The rows of both kinds, from {@link StatePart.restore} until they are complete. */
  let first: readonly SavedRow<RowValue<'delivery'>>[] = []
  let restored: readonly Restored[] = []
  /** The numbers of deliveries with a row of their course. */
  const changed = new Set<number>()
  /** The numbers of deliveries whose first row has not been written yet. */
  const fresh = new Set<number>()
  const ids = new Map<number, string>()
  /** The numbers of deliveries that the log has evicted while they were restored. */
  let evicted: readonly number[] = []

  const courseOf = (delivery: Delivery): DeliveryCourse => ({
    delivery,
    wait: sender.pending.get(delivery.id)?.wait,
    ended: ends.of(delivery.id),
  })

  const firstPart: StatePart<'delivery'> = {
    kind: 'delivery',
    prepare: (rows) => loadDialects(parts.dialects, rows, 'format', ({ format }) => format),
    watch(onChanged) {
      evicted.forEach(onChanged)
      events.on('reset.begins', () => {
        ends.clear()
        changed.clear()
      })
      events.on('delivery.opened', ({ id, state }) => {
        if (state !== 'pending') ends.add(id)
        const seq = add(id)
        fresh.add(seq)
        onChanged(seq)
      })
      events.on('delivery.forgotten', ({ id }) => onChanged(numberOf(id)))
    },
    *numbers() {
      for (const { id } of log.ended()) ends.add(id)
      for (const { id } of [...log.pending(), ...log.ended()]) yield add(id)
    },
    write(seq) {
      fresh.delete(seq)
      const delivery = log.get(ids.get(seq) ?? '')
      if (delivery === undefined) {
        ids.delete(seq)
        return undefined
      }
      return writeFirst(delivery, sender.pending.get(delivery.id), courseOf(delivery))
    },
    restore(rows) {
      first = rows
    },
  }

  const coursePart: StatePart<'delivery course'> = {
    kind: 'delivery course',
    watch(onChanged) {
      const onCourse = ({ id }: Delivery) => {
        const seq = numberOf(id)
        if (fresh.has(seq)) return
        changed.add(seq)
        onChanged(seq)
      }
      evicted.forEach(onChanged)
      events.on('delivery.waits', onCourse)
      events.on('delivery.attempted', onCourse)
      events.on('delivery.ended', (delivery) => {
        // A large delivery is evicted at once.
        if (log.get(delivery.id) === undefined) return
        ends.add(delivery.id)
        onCourse(delivery)
      })
      events.on('delivery.forgotten', ({ id }) => {
        ends.delete(id)
        if (changed.delete(numberOf(id))) onChanged(numberOf(id))
      })
    },
    numbers: () => changed,
    write(seq) {
      // After a reset, the first row of a delivery with the same number has its course.
      const delivery = changed.has(seq) ? log.get(ids.get(seq) ?? '') : undefined
      return delivery && writeCourse(courseOf(delivery))
    },
    restore(rows) {
      const later = new Map(rows.map((row) => [row.seq, row]))
      restored = first.map((row) => restoredFrom(row, later.get(row.seq)))
      first = []
      for (const { seq } of rows) changed.add(seq)
      const isEvicted = ({ pending }: Restored) => log.get(pending.delivery.id) === undefined
      for (const { seq, pending, ended } of restored) {
        const { id, taskId } = pending.delivery
        ids.set(seq, id)
        if (ended !== undefined) continue
        log.put(pending.delivery)
        tasks.retention.deliveryOpened(taskId)
      }
      for (const { pending, ended } of restored.filter(isEnded).sort((a, b) => a.ended - b.ended)) {
        log.put(pending.delivery)
        ends.add(pending.delivery.id, ended)
      }
      evicted = restored.filter(isEvicted).map(({ seq }) => seq)
    },
    complete() {
      for (const { pending, wait } of [...restored].sort(byWait))
        if (wait !== undefined) sender.restore(pending, wait)
      restored = []
    },
  }

  function add(id: string): number {
    const seq = numberOf(id)
    ids.set(seq, id)
    return seq
  }

  return [firstPart, coursePart]
}

function restoredFrom(
  row: SavedRow<RowValue<'delivery'>>,
  later: SavedRow<RowValue<'delivery course'>> | undefined,
): Restored {
  const { seq, value, bytes } = row
  if (numberOf(value.id) !== seq)
    throw new Error(`\`id\` must end with ${seq.toString(36)}, the number of the row`)
  const { receiver = { url: value.url }, fault = {}, isForced = false, course, ...saved } = value
  const reader = new BytesReader(bytes)
  // Before the other row, so that an error names the right one.
  reader.get(saved.payload)
  const { state, nextAt, attempts, wait, ended } = later?.value ?? course
  const bodies = later && new BytesReader(later.bytes)
  const delivery = readDelivery({ ...saved, state, nextAt, attempts }, reader, bodies)
  return {
    seq,
    pending: newPendingDelivery({ delivery, receiver: readAddressee(receiver), fault, isForced }),
    wait,
    ended,
  }
}

const isEnded = (each: Restored): each is Restored & { readonly ended: number } => each.ended !== undefined

/** Deliveries with a job come first, then those at their receiver, then those that wait for their turn. */
function byWait(one: Restored, other: Restored): number {
  const rank = ({ wait }: Restored) =>
    wait === undefined || 'job' in wait ? 0 : wait.for === 'attempt' ? 1 : 2
  const place = ({ wait, seq }: Restored) => (wait !== undefined && 'number' in wait ? wait.number : seq)
  return rank(one) - rank(other) || place(one) - place(other)
}

/** The number in the id of a delivery. */
function numberOf(id: string): number {
  return Number.parseInt(id.slice(id.lastIndexOf('_') + 1), 36)
}
