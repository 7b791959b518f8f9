import type { ListFilter } from './list-filter.js'

/** What a store has to know of its items. */
export interface ItemForm<Item, Name extends string> {
  readonly filter: ListFilter<Item, Name>
  /** The conditions whose values a user chooses from. */
  readonly choices: readonly Name[]
  /** A number that is higher for newer items. */
  readonly rankOf: (item: Item) => number
  /** Whether the first one is a state before the second one. */
  readonly isEarlier?: (item: Item, known: Item) => boolean
  /** How many items the store keeps. */
  readonly most?: number
}

interface Entry<Item> {
  item: Item
  readonly rank: number
  /** Orders items of the same rank. */
  readonly arrival: number
}

/** More items above the limit are removed at once, because sorting takes long. */
const SLACK = 1_000

/** The latest items of a list. Pages of the server and entries of its stream may arrive repeatedly and in any order. */
export class ItemStore<Item extends { readonly id: string }, Name extends string> {
  readonly form: ItemForm<Item, Name>
  readonly #entries = new Map<string, Entry<Item>>()
  /** Newest first; undefined after a change. */
  #order: readonly Entry<Item>[] | undefined
  #arrivals = 0
  /** The values that the choices have had. */
  readonly #seen = new Map<Name, Set<string>>()
  #values: Readonly<Partial<Record<Name, readonly string[]>>> | undefined

  constructor(form: ItemForm<Item, Name>) {
    this.form = form
    this.clear()
  }

  get size(): number {
    return this.#entries.size
  }

  get(id: string): Item | undefined {
    return this.#entries.get(id)?.item
  }

  /** The distinct values that the choices have had, sorted. The result is the same object until there is another one. */
  get values(): Readonly<Partial<Record<Name, readonly string[]>>> {
    if (this.#values === undefined) {
      const values: { [Each in Name]?: readonly string[] } = {}
      for (const [name, seen] of this.#seen) values[name] = [...seen].sort()
      this.#values = values
    }
    return this.#values
  }

  clear(): void {
    this.#entries.clear()
    this.#order = undefined
    this.#values = undefined
    for (const name of this.form.choices) this.#seen.set(name, new Set())
  }

  /** Adds an item of the stream, or replaces an earlier state of it. */
  put(item: Item): void {
    this.#put(item, 1)
  }

  /** Adds a page of items, newest first, which are older than those before. */
  addPage(items: readonly Item[]): void {
    for (const item of items) this.#put(item, -1)
  }

  /** Changes a known item. */
  update(id: string, change: Partial<Item>): void {
    const known = this.get(id)
    if (known !== undefined) this.put({ ...known, ...change })
  }

  /** Removes an item that the server has forgotten. */
  delete(id: string): void {
    if (this.#entries.delete(id)) this.#order = undefined
  }

  /** The matching items, newest first. */
  list(test: (item: Item) => boolean): Item[] {
    return this.#sorted().flatMap(({ item }) => (test(item) ? item : []))
  }

  #sorted(): readonly Entry<Item>[] {
    this.#order ??= [...this.#entries.values()].sort((a, b) => b.rank - a.rank || b.arrival - a.arrival)
    return this.#order
  }

  #put(item: Item, step: 1 | -1): void {
    const { rankOf, isEarlier, most = Infinity } = this.form
    const known = this.#entries.get(item.id)
    if (known !== undefined && isEarlier?.(item, known.item)) return
    this.#addValues(item)
    if (known !== undefined) {
      known.item = item
      return
    }
    this.#arrivals += 1
    this.#entries.set(item.id, { item, rank: rankOf(item), arrival: this.#arrivals * step })
    this.#order = undefined
    if (this.size > most + SLACK) for (const old of this.#sorted().slice(most)) this.delete(old.item.id)
  }

  #addValues(item: Item): void {
    for (const [name, seen] of this.#seen)
      for (const value of this.form.filter.valuesOf(name, item)) {
        if (seen.has(value)) continue
        seen.add(value)
        this.#values = undefined
      }
  }
}
