import { fingerprintOf } from '../../engine/digest.js'
import type { Recent } from '../../engine/recent.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { StatePart } from '../state-part.js'

/** The amount that each API key has spent, in micro-dollars. */
export function accountPart(parts: SimulatorParts): StatePart {
  return tablePart(parts, { kind: 'spent', tables: () => [parts.active.requestPolicy.accounts.spent] })
}

/** What remains of each rate limit for each API key. */
export function limitPart(parts: SimulatorParts): StatePart {
  const tables = () => parts.active.requestPolicy.limits.levels
  return tablePart(parts, { kind: 'limit', isLazy: true, tables })
}

/** How often each request occurred to which faults may apply, and the counts of the fault rules. */
export function faultPart(parts: SimulatorParts): StatePart {
  return tablePart(parts, { kind: 'fault', tables: () => parts.active.requestPolicy.faults.counts })
}

/** Values by key, such as the number of requests of each API key. */
type Table<Value> = Recent<string | number, Value>

/** How {@link tablePart} reads and stores its tables. */
interface TableOptions<Value> extends Pick<StatePart, 'isLazy'> {
  readonly kind: 'spent' | 'limit' | 'fault' | 'webhook fault count'
  /** The tables of the active scenario, in a fixed order. */
  readonly tables: () => readonly Table<Value>[]
}

/** A part whose values are in tables, which a change of the scenario may replace. Each value is a row. */
export function tablePart<Value>(
  { events }: SimulatorParts,
  { tables, ...options }: TableOptions<Value>,
): StatePart<TableOptions<Value>['kind']> {
  const numbers = new TableNumbers()
  let watched: readonly Table<Value>[] = []
  return {
    ...options,
    watch(changed) {
      const watchTables = () => {
        const present = tables()
        for (const [index, table] of watched.entries()) {
          if (table === present[index]) continue
          delete table.onChange
          for (const key of table.keys()) changed(numbers.of(index, key))
        }
        for (const [index, table] of present.entries())
          if (table !== watched[index]) table.onChange = (key) => changed(numbers.of(index, key))
        watched = present
      }
      watchTables()
      events.on('control.used', watchTables)
    },
    *numbers() {
      for (const [index, table] of tables().entries())
        for (const key of table.keys()) yield numbers.of(index, key)
    },
    write(seq) {
      const { table, key } = numbers.addressOf(seq)
      const value = tables()[table]?.peek(key)
      if (value !== undefined) return { value: [table, key, value] }
      numbers.delete(seq)
      return undefined
    },
    restore(rows) {
      for (const { value } of rows) {
        const [table, key, content] = value
        // The schema of the kind has accepted it.
        tables()[table]?.set(key, content as Value)
      }
    },
  }
}

/** The address of a value: the index of its table, and its key. */
interface TableAddress {
  readonly table: number
  readonly key: string | number
}

const encoder = new TextEncoder()
const NOWHERE: TableAddress = { table: -1, key: '' }

/** Numbers the values of tables, the same way in every process. */
class TableNumbers {
  readonly #addresses = new Map<number, TableAddress>()

  of(table: number, key: string | number): number {
    const seq = fingerprintOf(encoder.encode(`${table} ${key}`))
    if (!this.#addresses.has(seq)) this.#addresses.set(seq, { table, key })
    return seq
  }

  addressOf(seq: number): TableAddress {
    return this.#addresses.get(seq) ?? NOWHERE
  }

  delete(seq: number): void {
    this.#addresses.delete(seq)
  }
}
