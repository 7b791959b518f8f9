import type * as v from 'valibot'
import type { Addressee, RegisteredReceiver } from '../../engine/webhooks/receivers/receiver.js'
import type { Receivers, SavedReceivers } from '../../engine/webhooks/receivers/receivers.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { addressee, registeredReceiver } from '../rows/receiver-rows.js'
import type { StatePart } from '../state-part.js'
import { differs, loadDialects } from './row-checks.js'

/** The number of the row with all receivers that no client has registered. */
const COMMON = 0

/** The receivers: a row for each receiver that a client has registered, and one row for the others. */
export function receiverPart({
  webhooks: { receivers },
  events,
  dialects,
}: SimulatorParts): StatePart<'receiver'> {
  const registered = new RegisteredRows(receivers)
  return {
    kind: 'receiver',
    prepare: (rows) =>
      loadDialects(dialects, rows, 'registration.dialect', (value) =>
        'registration' in value ? value.registration.dialect : undefined,
      ),
    watch(changed) {
      events.on('receivers.changed', () => {
        changed(COMMON)
        for (const seq of registered.update()) changed(seq)
      })
    },
    *numbers() {
      registered.update()
      yield COMMON
      yield* registered.numbers()
    },
    write(seq) {
      if (seq === COMMON) return { value: receivers.saved }
      const receiver = registered.get(seq)
      return receiver && { value: receiver }
    },
    restore(rows) {
      let common: SavedReceivers | undefined
      const others = new Map<string, RegisteredReceiver>()
      for (const { seq, value } of rows) {
        if ('urls' in value) {
          common = value
          continue
        }
        if (others.has(value.id)) throw new Error(differs('id', value.id))
        others.set(value.id, readReceiver(value))
        registered.add(value.id, seq)
      }
      if (common === undefined) return
      receivers.restore(common, [...others.values()])
      registered.update()
    },
  }
}

/** How often clients have registered receivers, from which ids and secrets come. The numbers are fingerprints. */
export function registrationCountPart({
  registrations,
  events,
}: SimulatorParts): StatePart<'registration count'> {
  const known = new Map<number, number>()
  const counts = () => registrations.loaded?.occurrences
  return {
    kind: 'registration count',
    async prepare(rows) {
      if (rows.length > 0) await registrations.get()
    },
    watch(changed) {
      events.on('reset.begins', () => known.clear())
      events.on('receivers.changed', () => {
        for (const seq of counts()?.releasedKeys() ?? []) {
          const count = counts()?.releasedOf(seq) ?? 0
          if (known.get(seq) === count) continue
          known.set(seq, count)
          changed(seq)
        }
      })
    },
    numbers: () => [...(counts()?.releasedKeys() ?? [])],
    write(seq) {
      const count = counts()?.releasedOf(seq) ?? 0
      return count === 0 ? undefined : { value: count }
    },
    restore(rows) {
      for (const { seq, value } of rows) {
        counts()?.restoreReleased(seq, value)
        known.set(seq, value)
      }
    },
  }
}

/** Numbers the receivers that clients have registered, in their order. */
class RegisteredRows {
  readonly #receivers: Receivers
  /** By id. */
  readonly #rows = new Map<string, { readonly seq: number; receiver: RegisteredReceiver | undefined }>()
  readonly #ids = new Map<number, string>()
  #last = COMMON

  constructor(receivers: Receivers) {
    this.#receivers = receivers
  }

  add(id: string, seq: number): void {
    this.#rows.set(id, { seq, receiver: undefined })
    this.#ids.set(seq, id)
    this.#last = Math.max(this.#last, seq)
  }

  get(seq: number): RegisteredReceiver | undefined {
    return this.#rows.get(this.#ids.get(seq) ?? '')?.receiver
  }

  numbers(): Iterable<number> {
    return this.#ids.keys()
  }

  /** Reads the current receivers. @returns the numbers of those that are new, changed or deleted */
  update(): readonly number[] {
    const changed: number[] = []
    const present = this.#receivers.list().filter(({ source }) => source === 'api')
    for (const receiver of present) {
      if (!this.#rows.has(receiver.id)) this.add(receiver.id, this.#last + 1)
      const row = this.#rows.get(receiver.id)
      if (row === undefined || row.receiver === receiver) continue
      row.receiver = receiver
      changed.push(row.seq)
    }
    const ids = new Set(present.map(({ id }) => id))
    for (const [id, { seq }] of this.#rows) {
      if (ids.has(id)) continue
      this.#rows.delete(id)
      this.#ids.delete(seq)
      changed.push(seq)
    }
    return changed
  }
}

/** Reads a receiver of an event. */
export function readAddressee({ registration, ...receiver }: v.InferOutput<typeof addressee>): Addressee {
  return {
    ...receiver,
    ...(registration && {
      registration: {
        id: registration.id,
        owner: registration.owner,
        dialect: registration.dialect,
        name: registration.name,
        isEnabled: registration.isEnabled,
        createdAt: registration.createdAt,
        updatedAt: registration.updatedAt,
        previousUntil: registration.previousUntil,
      },
    }),
  }
}

/** Reads a registered receiver. */
export function readReceiver(receiver: v.InferOutput<typeof registeredReceiver>): RegisteredReceiver {
  return { ...readAddressee(receiver), id: receiver.id, source: receiver.source, off: receiver.off }
}
