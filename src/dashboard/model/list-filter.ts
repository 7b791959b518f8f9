/** The conditions of a filter by name, as in the address, and the words of its search. An empty one matches all. */
export type Conditions<Name extends string> = Readonly<Record<Name | 'text', string>>

/** What a filter can ask about an item: for each condition, the value or the values under which it finds the item. */
export type Traits<Item, Name extends string> = Readonly<
  Record<Name, (item: Item) => string | undefined | readonly string[]>
>

/** The filter of a list. */
export class ListFilter<Item, Name extends string> {
  readonly #traits: Traits<Item, Name>
  readonly #names: readonly Name[]
  readonly #textOf: (item: Item) => string

  /** @param textOf returns the text that the search looks at */
  constructor(traits: Traits<Item, Name>, textOf: (item: Item) => string) {
    this.#traits = traits
    this.#names = Object.keys(traits) as Name[]
    this.#textOf = textOf
  }

  /** Reads the conditions from the query in the address. */
  read(query: Readonly<Record<string, string>>): Conditions<Name> {
    const conditions = [...this.#names, 'text'].map((name) => [name, query[name] ?? ''])
    return Object.fromEntries(conditions) as Conditions<Name>
  }

  /** Compiles conditions into a predicate. */
  test(conditions: Partial<Conditions<Name>>): (item: Item) => boolean {
    const asked = this.#names.flatMap((name) => {
      const wanted = conditions[name]
      return wanted ? [{ name, wanted }] : []
    })
    const words = (conditions.text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    return (item) => {
      if (!asked.every(({ name, wanted }) => this.valuesOf(name, item).includes(wanted))) return false
      if (words.length === 0) return true
      const searched = this.#textOf(item).toLowerCase()
      return words.every((word) => searched.includes(word))
    }
  }

  /** The values under which a condition finds an item. */
  valuesOf(name: Name, item: Item): readonly string[] {
    const found = this.#traits[name](item)
    return found === undefined ? [] : typeof found === 'string' ? [found] : found
  }

  /** How many items a condition finds under each value. */
  count(name: Name, items: readonly Item[]): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const item of items)
      for (const value of this.valuesOf(name, item)) counts[value] = (counts[value] ?? 0) + 1
    return counts
  }
}

/** Whether a filter has a condition. */
export function isFiltered(conditions: Readonly<Record<string, string>>): boolean {
  return Object.values(conditions).some((value) => value.trim() !== '')
}
