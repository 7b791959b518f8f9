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
  /** Undefined once it is deleted. */
  item: Item | undefined
  readonly rank: number
  /** Orders items of the same rank. */
  readonly arrival: number
}

/** More entries of deleted items, or above the limit, are removed at once, because moving all entries takes long. */
const SLACK = 1_000

/** The latest items of a list. Pages of the server and entries of its stream may arrive repeatedly and in any order. */
export class ItemStore<Item extends { readonly id: string }, Name extends string> {
  readonly form: ItemForm<Item, Name>
  readonly #entries = new Map<string, Entry<Item>>()
  /** Oldest first, unless a page came since. */
  #order: Entry<Item>[] = []
  #isSorted = true
  #arrivals = 0
  readonly #counts: ReadonlyMap<Name, Map<string, number>>
  #values: Readonly<Partial<Record<Name, readonly string[]>>> | undefined

  constructor(form: ItemForm<Item, Name>) {
    this.form = form
    this.#counts = new Map(form.choices.map((name) => [name, new Map()]))
  }

  get size(): number {
    return this.#entries.size
  }

  get(id: string): Item | undefined {
    return this.#entries.get(id)?.item
  }

  /** The distinct values of the choices, sorted. The result is the same object until one of them changes. */
  get values(): Readonly<Partial<Record<Name, readonly string[]>>> {
    this.#values ??= this.#listed()
    return this.#values
  }

  clear(): void {
    this.#entries.clear()
    this.#order = []
    this.#values = undefined
    for (const counts of this.#counts.values()) counts.clear()
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
    const entry = this.#entries.get(id)
    if (entry?.item !== undefined) this.#replace(entry, { ...entry.item, ...change })
  }

  /** Removes an item that the server has forgotten. */
  delete(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#drop(entry)
    if (this.#order.length > 2 * this.size + SLACK)
      this.#order = this.#order.filter(({ item }) => item !== undefined)
  }

  /** The matching items, newest first. */
  list(test: (item: Item) => boolean): Item[] {
    if (!this.#isSorted) this.#order.sort((a, b) => a.rank - b.rank || a.arrival - b.arrival)
    this.#isSorted = true
    const found: Item[] = []
    for (let index = this.#order.length - 1; index >= 0; index--) {
      const item = this.#order[index]?.item
      if (item !== undefined && test(item)) found.push(item)
    }
    return found
  }

  /** Called for each new item. */
  protected onAdded(_item: Item): void {}

  /** Called for each item that is not known any more. */
  protected onDropped(_item: Item): void {}

  #listed(): Readonly<Partial<Record<Name, readonly string[]>>> {
    const values: { [Each in Name]?: readonly string[] } = {}
    for (const [name, counts] of this.#counts) values[name] = [...counts.keys()].sort()
    return values
  }

  #put(item: Item, step: 1 | -1): void {
    const known = this.#entries.get(item.id)
    if (known?.item === undefined) this.#add(item, step)
    else if (this.form.isEarlier?.(item, known.item) !== true) this.#replace(known, item)
  }

  #add(item: Item, step: 1 | -1): void {
    this.#arrivals += 1
    const entry = { item, rank: this.form.rankOf(item), arrival: this.#arrivals * step }
    const last = this.#order.at(-1)
    if (step < 0 || (last !== undefined && last.rank > entry.rank)) this.#isSorted = false
    this.#entries.set(item.id, entry)
    this.#order.push(entry)
    this.#count(item, 1)
    this.onAdded(item)
    const { most = Infinity } = this.form
    if (this.#isSorted && this.size > most + SLACK)
      for (const old of this.#order.splice(0, this.#order.length - most)) this.#drop(old)
  }

  #replace(entry: Entry<Item>, item: Item): void {
    this.#count(item, 1)
    if (entry.item !== undefined) this.#count(entry.item, -1)
    entry.item = item
  }

  #drop(entry: Entry<Item>): void {
    const { item } = entry
    if (item === undefined) return
    this.#entries.delete(item.id)
    this.#count(item, -1)
    this.onDropped(item)
    entry.item = undefined
  }

  #count(item: Item, by: 1 | -1): void {
    for (const [name, counts] of this.#counts)
      for (const value of this.form.filter.valuesOf(name, item)) {
        const count = (counts.get(value) ?? 0) + by
        if (count > 0) counts.set(value, count)
        else counts.delete(value)
        // A value that appears or disappears changes the choices.
        if (count === 0 || (count === 1 && by === 1)) this.#values = undefined
      }
  }
}
