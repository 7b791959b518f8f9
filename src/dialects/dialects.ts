import { UsageError } from '../engine/errors.js'
import type { Random } from '../engine/random.js'
import { suggest } from '../engine/suggest.js'
import type { WireFormats } from '../engine/wire-formats.js'
import { BUILT_IN_DIALECTS, MAIN_DIALECT } from './built-in.js'
import type { Dialect } from './dialect.js'

/** The built-in dialects that are loaded, by name. */
const loaded = new Map<string, Dialect>([[MAIN_DIALECT.name, MAIN_DIALECT]])

/** The dialects of a simulator, each loaded on first use. */
export class Dialects implements WireFormats {
  /** The dialect that is also served at the root. */
  readonly #root: string | undefined

  /**
   * @param root the name of the dialect that is also served at the root
   * @throws UsageError if there is no dialect with the name
   */
  constructor(root?: string) {
    this.#root = root
    if (root !== undefined) this.check(root)
  }

  /** The name of the dialect of tasks whose order names none. */
  get main(): string {
    return MAIN_DIALECT.name
  }

  /** The names of all dialects. */
  get names(): readonly string[] {
    return [MAIN_DIALECT.name, ...BUILT_IN_DIALECTS.keys()]
  }

  /** The dialect that is also served at the root, if it is loaded. */
  get root(): Dialect | undefined {
    return this.#root === undefined ? undefined : this.get(this.#root)
  }

  /** All dialects that are loaded. */
  loaded(): Iterable<Dialect> {
    return loaded.values()
  }

  /** The dialect with a name; undefined if there is none or it is not loaded yet. */
  get(name: string): Dialect | undefined {
    return loaded.get(name)
  }

  /**
   * Loads the dialects that a path may belong to.
   * @returns undefined if there is nothing to load
   */
  loadFor(path: string): Promise<unknown> | undefined {
    const root = this.#root === undefined || this.root !== undefined ? undefined : this.load(this.#root)
    const name = firstSegment(path)
    const isMissing = BUILT_IN_DIALECTS.has(name) && !loaded.has(name)
    return isMissing ? Promise.all([root, this.load(name)]) : root
  }

  /**
   * Loads a dialect.
   * @throws UsageError if there is none with the name
   */
  async load(name: string): Promise<Dialect> {
    const known = this.get(name)
    if (known !== undefined) return known
    this.check(name)
    const dialect = await (BUILT_IN_DIALECTS.get(name)?.load() ?? MAIN_DIALECT)
    loaded.set(name, dialect)
    return dialect
  }

  /** Draws the id of a new task. */
  drawTaskId(name: string, random: Random): string {
    return (this.get(name) ?? MAIN_DIALECT).taskIds.draw(random)
  }

  /** @throws UsageError if there is no dialect with the name */
  check(name: string): void {
    if (this.names.includes(name)) return
    throw new UsageError(`There is no dialect ${JSON.stringify(name)}: ${suggest(name, this.names)}`)
  }
}

/** The first segment of a path, such as `luma` in `/luma/v1`. */
export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path.slice(1) : path.slice(1, end)
}
