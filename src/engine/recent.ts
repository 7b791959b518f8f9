/**
 * A bounded map of recently used entries. It has a young half and an old half: when the young half is full, it replaces
 * the old half, whose entries are evicted. Reading an old entry moves it to the young half.
 */
export class Recent<Key, Value> {
  readonly #half: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  /** @param maxEntries the maximum; at least half as many of the most recently used entries are always kept */
  constructor(maxEntries = 1_000) {
    this.#half = maxEntries / 2
  }

  /** Called with each key whose value was set or is gone. */
  onChange?(key: Key): void

  get(key: Key): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const known = this.#old.get(key)
    if (known !== undefined) this.#put(key, known)
    return known
  }

  /** Reads a value, which does not count as use. */
  peek(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: Key, value: Value): void {
    this.#put(key, value)
    this.onChange?.(key)
  }

  /** The present keys, in no order. */
  *keys(): Iterable<Key> {
    yield* this.#young.keys()
    for (const key of this.#old.keys()) if (!this.#young.has(key)) yield key
  }

  #put(key: Key, value: Value): void {
    if (this.#young.size >= this.#half) {
      const evicted = this.#old
      this.#old = this.#young
      this.#young = new Map()
      if (this.onChange !== undefined)
        for (const gone of evicted.keys()) if (!this.#old.has(gone)) this.onChange(gone)
    }
    this.#young.set(key, value)
  }
}

/** Wraps a function so that it computes a value for each object only once. */
export function oncePer<Key extends object, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const value = known.get(key)
    if (value !== undefined) return value
    const computed = compute(key)
    known.set(key, computed)
    return computed
  }
}

/** Wraps a function so that it does not compute again what it computed last. */
export function rememberLast<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  let last: { readonly key: Key; readonly value: Value } | undefined
  return (key) => {
    if (last === undefined || last.key !== key) last = { key, value: compute(key) }
    return last.value
  }
}
