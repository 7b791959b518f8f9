import { UsageError } from '../engine/errors.js'
import { BUILT_IN_DIALECTS, MAIN_DIALECT } from './built-in.js'
import type { Dialect } from './dialect.js'
import { dialectFromTable } from './table/dialect-from-table.js'
import type { DialectTable } from './table/dialect-table.generated.js'

/** A dialect of the user. Its templates are compiled on first use. */
interface OwnDialect {
  readonly table: DialectTable
  /** The compiled table; that of an earlier version of the table until the current one is compiled. */
  dialect: Dialect | undefined
  isCurrent: boolean
}

/** The first segments of paths that never belong to a dialect. */
const RESERVED = ['api', 'files', 'v1']

/** The dialects that a user has described, by name. */
export class OwnDialects {
  readonly #byName = new Map<string, OwnDialect>()

  get names(): Iterable<string> {
    return this.#byName.keys()
  }

  /** The dialects that have been used. */
  *loaded(): Iterable<Dialect> {
    for (const { dialect } of this.#byName.values()) if (dialect !== undefined) yield dialect
  }

  /** The dialect with a name; undefined if there is none or it has not been used yet. */
  get(name: string): Dialect | undefined {
    return this.#byName.get(name)?.dialect
  }

  /** The description of a dialect. */
  table(name: string): DialectTable | undefined {
    return this.#byName.get(name)?.table
  }

  /** Whether a dialect has to be compiled before the next request to it. */
  mustLoad(name: string): boolean {
    return this.#byName.get(name)?.isCurrent === false
  }

  /**
   * Adds a dialect, or replaces the one with the same name. Tasks of the earlier one keep it until the next request.
   * @throws UsageError if the name is reserved or belongs to a built-in dialect
   */
  add(table: DialectTable): void {
    const flaw = flawOfOwnName(table.name)
    if (flaw !== undefined)
      throw new UsageError(`Cannot add the dialect ${JSON.stringify(table.name)}: ${flaw}.`)
    const known = this.#byName.get(table.name)
    if (known?.table === table) return
    this.#byName.set(table.name, { table, dialect: known?.dialect, isCurrent: false })
  }

  /** Compiles a dialect. */
  async load(name: string): Promise<Dialect | undefined> {
    const own = this.#byName.get(name)
    if (own === undefined) return undefined
    if (own.isCurrent) return own.dialect
    const { RARE_PARTS } = await import('./table/rare-parts.js')
    own.dialect = dialectFromTable(own.table, RARE_PARTS)
    own.isCurrent = true
    return own.dialect
  }
}

/** Explains why a dialect of the user cannot have a name. Returns undefined if it can. */
export function flawOfOwnName(name: string): string | undefined {
  if (name === MAIN_DIALECT.name || BUILT_IN_DIALECTS.has(name))
    return 'tasksim has a dialect with this name; use another name'
  return RESERVED.includes(name) ? `paths below /${name} have another meaning; use another name` : undefined
}
