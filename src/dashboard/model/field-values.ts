import type { ServiceRequestShape } from '../../control/shapes.js'

/** The distinct values of each field, sorted. */
export type FieldLists<Field extends string> = { readonly [Each in Field]?: readonly string[] }

/** The values of some fields of all items of a list, kept up to date while items come and go. */
export class FieldValues<Field extends string> {
  readonly #fields: readonly Field[]
  readonly #counts: ReadonlyMap<Field, Map<string, number>>
  #lists: FieldLists<Field> | undefined

  constructor(...fields: readonly Field[]) {
    this.#fields = fields
    this.#counts = new Map(fields.map((field) => [field, new Map()]))
  }

  /** The distinct values of each field, sorted. The result is the same object until one of the lists changes. */
  get lists(): FieldLists<Field> {
    this.#lists ??= this.#listed()
    return this.#lists
  }

  add(item: Readonly<Partial<Record<Field, string>>>): void {
    for (const field of this.#fields) this.#count(field, item[field], 1)
  }

  remove(item: Readonly<Partial<Record<Field, string>>>): void {
    for (const field of this.#fields) this.#count(field, item[field], -1)
  }

  clear(): void {
    for (const counts of this.#counts.values()) counts.clear()
    this.#lists = undefined
  }

  #listed(): FieldLists<Field> {
    const lists: { [Each in Field]?: readonly string[] } = {}
    for (const field of this.#fields) lists[field] = [...this.#of(field).keys()].sort()
    return lists
  }

  #of(field: Field): Map<string, number> {
    return this.#counts.get(field) ?? new Map()
  }

  #count(field: Field, value: string | undefined, by: 1 | -1): void {
    if (value === undefined) return
    const counts = this.#of(field)
    const before = counts.get(value) ?? 0
    if (before + by > 0) counts.set(value, before + by)
    else counts.delete(value)
    if (before === 0 || before + by === 0) this.#lists = undefined
  }
}

/** A request as items of a menu that copies them, one for each language. */
export function codeItems({ code = [] }: ServiceRequestShape, note: string) {
  return code.map(({ language, label, text }) => ({
    label: language === 'curl' ? 'curl command' : label,
    note: language === 'sdk' ? 'client' : note,
    text,
  }))
}

/**
 * Compiles the text of a search into a predicate: all words must occur, in any case and order.
 * @returns a function of the searched text, which is built only if there are words
 */
export function wordsTest(text: string): (build: () => string) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return (build) => {
    if (words.length === 0) return true
    const searched = build().toLowerCase()
    return words.every((word) => searched.includes(word))
  }
}

/** Whether a filter has a condition. */
export function isFiltered(filter: Readonly<Record<string, string>>): boolean {
  return Object.values(filter).some((value) => value.trim() !== '')
}
