import { UsageError } from '../engine/errors.js'
import type { JsonObject } from '../engine/json.js'
import type { LiveFormats, LiveTasksCode } from '../engine/progress/live-part.js'
import type { Random } from '../engine/random.js'
import type { DialectSettings } from '../engine/scenario/scenario.js'
import { suggest } from '../engine/suggest.js'
import type { OutputTimes, WireFormats } from '../engine/tasks/kinds.js'
import { BUILT_IN_DIALECTS, MAIN_DIALECT } from './built-in.js'
import type { Dialect } from './dialect.js'
import { checkTemplates, dialectFromTable } from './table/dialect-from-table.js'
import type { DialectTable } from './table/dialect-table.generated.js'
import { loadFilters } from './table/template/filters.js'

/** A dialect of the user. It is compiled on first use. */
interface OwnDialect {
  readonly table: DialectTable
  /** Undefined until it is compiled; that of an earlier version of the table, if there is one. */
  dialect: Dialect | undefined
}

/** The built-in dialects that are loaded, by name. */
const loaded = new Map<string, Dialect>([[MAIN_DIALECT.name, MAIN_DIALECT]])

/** The dialects of a simulator, each loaded on first use: the built-in ones, and those of the user. */
export class Dialects implements WireFormats, LiveFormats {
  /** Those of the user, by name. */
  readonly #own = new Map<string, OwnDialect>()
  /** The names of the dialects that may not be loaded, or not in the current version. */
  readonly #pending = new Set(BUILT_IN_DIALECTS.keys())
  /** The names of dialects that options have added. */
  readonly #given = new Set<string>()
  /** The dialect that is also served at the root. */
  readonly #root: string | undefined

  /**
   * @param own the descriptions of the user's dialects
   * @param root the name of the dialect that is also served at the root
   * @throws UsageError if a dialect of the user has a name that is taken
   */
  constructor(own: readonly DialectTable[] = [], root?: string) {
    for (const table of own) this.add(table)
    this.#root = root
  }

  /** @throws UsageError if there is no dialect with the name of the one at the root */
  checkRoot(): void {
    if (this.#root !== undefined) this.check(this.#root)
  }

  /**
   * Adds a dialect of the user, or replaces the one with the same name.
   * @throws UsageError if the name is reserved or belongs to a built-in dialect
   */
  add(table: DialectTable): void {
    this.#addOwn(table)
    this.#given.add(table.name)
  }

  /**
   * Adds the dialect of a scenario, unless an option has added one with the same name, or checks that it exists.
   * @throws UsageError if there is no dialect with the name, or it cannot be added
   */
  ensure(name: string, { file, table }: DialectSettings): void {
    if (this.#given.has(name)) return
    // A scenario holds the content of dialect files only once it is checked.
    if (table !== undefined) this.#addOwn(table as DialectTable)
    else if (file === undefined || this.own(name) !== undefined) this.check(name)
    else throw unreadFile(name, file)
  }

  /** The name of the dialect of tasks whose order names none. */
  get main(): string {
    return MAIN_DIALECT.name
  }

  /** The names of all dialects. */
  get names(): readonly string[] {
    return [MAIN_DIALECT.name, ...BUILT_IN_DIALECTS.keys(), ...this.#own.keys()]
  }

  /** The description of a dialect of the user; undefined if there is none with the name. */
  own(name: string): DialectTable | undefined {
    return this.#own.get(name)?.table
  }

  /** The dialect that is also served at the root, if it is loaded. */
  get root(): Dialect | undefined {
    return this.#root === undefined ? undefined : this.get(this.#root)
  }

  /** All dialects that are loaded. */
  *loaded(): Iterable<Dialect> {
    yield* loaded.values()
    for (const { dialect } of this.#own.values()) if (dialect !== undefined) yield dialect
  }

  /** The dialect with a name; undefined if there is none or it is not loaded yet. */
  get(name: string): Dialect | undefined {
    return loaded.get(name) ?? this.#own.get(name)?.dialect
  }

  /**
   * Loads the dialects that a path may belong to.
   * @returns undefined if there is nothing to load
   */
  loadFor(path: string): Promise<unknown> | undefined {
    if (this.#pending.size === 0) return undefined
    const name = firstSegment(path)
    const root = this.#root !== undefined && this.#pending.has(this.#root) ? this.load(this.#root) : undefined
    return this.#pending.has(name) ? Promise.all([root, this.load(name)]) : root
  }

  /** Tasks of an earlier version keep it until the next request. */
  #addOwn(table: DialectTable): void {
    const { name } = table
    const flaw = flawOfOwnName(name)
    if (flaw !== undefined) throw new UsageError(`Cannot add the dialect ${JSON.stringify(name)}: ${flaw}.`)
    const known = this.#own.get(name)
    if (known?.table === table) return
    this.#own.set(name, { table, dialect: known?.dialect })
    this.#pending.add(name)
  }

  /**
   * Loads a dialect.
   * @throws UsageError if there is none with the name
   */
  async load(name: string): Promise<Dialect> {
    const own = this.#own.get(name)
    if (own !== undefined) return this.#loadOwn(own)
    const dialect = loaded.get(name) ?? (await this.#loadBuiltIn(name))
    this.#pending.delete(name)
    return dialect
  }

  async #loadOwn(own: OwnDialect): Promise<Dialect> {
    const { name } = own.table
    if (own.dialect !== undefined && !this.#pending.has(name)) return own.dialect
    checkTemplates(own.table)
    await loadFilters()
    const { LiveTasks } = await import('../engine/progress/live-tasks.js')
    own.dialect = dialectFromTable(own.table, LiveTasks)
    // It may have been replaced meanwhile.
    if (this.#own.get(name) === own) this.#pending.delete(name)
    return own.dialect
  }

  async #loadBuiltIn(name: string): Promise<Dialect> {
    this.check(name)
    await loadFilters()
    const dialect = await (BUILT_IN_DIALECTS.get(name)?.load() ?? MAIN_DIALECT)
    loaded.set(name, dialect)
    return dialect
  }

  /** How long the service keeps outputs and their URLs. */
  outputTimes(name: string): OutputTimes | undefined {
    return this.get(name)?.outputTimes
  }

  /** The start of output URLs for a client that has called an origin. */
  fileOrigin(name: string, origin: string): string {
    const { fileHost, hosts = [] } = this.get(name) ?? {}
    return fileHost !== undefined && hosts.some((host) => host.origin === origin) ? fileHost : origin
  }

  /** The code that shows tasks before their end. */
  liveTasks(name: string): LiveTasksCode | undefined {
    return this.get(name)?.liveTasks
  }

  /** Draws the id of a new task. */
  drawTaskId(name: string, random: Random, extra?: JsonObject): string {
    return (this.get(name) ?? MAIN_DIALECT).taskIds.draw(random, extra)
  }

  /** @throws UsageError if there is no dialect with the name */
  check(name: string): void {
    if (this.names.includes(name)) return
    throw new UsageError(`There is no dialect ${JSON.stringify(name)}: ${suggest(name, this.names)}`)
  }

  /** @throws UsageError if there is no dialect with the name, or it names no hosts on which to answer */
  checkInProcess(name: string): void {
    this.check(name)
    const table = this.own(name)
    if (table === undefined || (table.hosts ?? []).length > 0) return
    throw new UsageError(
      `The dialect ${JSON.stringify(name)} has no \`hosts\`, so it would answer no request in process. Add the origins that the client calls to its file, such as hosts: [https://api.example.com].`,
    )
  }
}

/** The first segments of paths that never belong to a dialect. */
const RESERVED = ['api', 'files', 'v1']

/** Explains why a dialect of the user cannot have a name. Returns undefined if it can. */
export function flawOfOwnName(name: string): string | undefined {
  if (name === MAIN_DIALECT.name || BUILT_IN_DIALECTS.has(name))
    return 'tasksim has a dialect with this name; use another name'
  return RESERVED.includes(name) ? `paths below /${name} have another meaning; use another name` : undefined
}

function unreadFile(name: string, file: string): UsageError {
  return new UsageError(
    `The scenario names the file of the dialect ${JSON.stringify(name)}, ${file}, but only the command line reads it. Pass the dialect itself: createSimulator({ dialects: [parseDialect(text)] }).`,
  )
}

/** The first segment of a path, such as `luma` in `/luma/v1`. */
export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}
