import { SHORTEST_SHOWN } from '../../engine/mask.js'

/** Replaces secrets wherever they stand in a text. Its cost does not grow with the number of secrets. */
export class Hidden {
  readonly #replacements = new Map<string, string>()
  readonly #beginnings = new Set<string>()
  /** Of the secrets, the longest first. */
  #lengths: readonly number[] = []

  /** @param secret one of fewer than 12 characters is not looked for: it could be a part of any word */
  add(secret: string, replacement: string): void {
    if (secret.length < SHORTEST_SHOWN) return
    this.#replacements.set(secret, replacement)
    this.#beginnings.add(secret.slice(0, SHORTEST_SHOWN))
    if (!this.#lengths.includes(secret.length))
      this.#lengths = [...this.#lengths, secret.length].sort((a, b) => b - a)
  }

  in(text: string): string {
    let shown = ''
    let copied = 0
    for (const { secret, at } of this.#found(text)) {
      shown += text.slice(copied, at) + this.#replacements.get(secret)
      copied = at + secret.length
    }
    return shown + text.slice(copied)
  }

  /** The secrets that stand in a text. */
  secretsIn(text: string): string[] {
    return [...this.#found(text)].map(({ secret }) => secret)
  }

  *#found(text: string): Generator<{ readonly secret: string; readonly at: number }> {
    if (this.#replacements.size === 0) return
    for (let at = 0; at <= text.length - SHORTEST_SHOWN; at++) {
      const secret = this.#at(text, at)
      if (secret === undefined) continue
      yield { secret, at }
      at += secret.length - 1
    }
  }

  #at(text: string, at: number): string | undefined {
    if (!this.#beginnings.has(text.slice(at, at + SHORTEST_SHOWN))) return undefined
    const length = this.#lengths.find((length) => this.#replacements.has(text.slice(at, at + length)))
    return length === undefined ? undefined : text.slice(at, at + length)
  }
}
