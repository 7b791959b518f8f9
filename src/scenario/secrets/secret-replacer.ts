import { MIN_PARTIALLY_SHOWN } from '../../engine/mask.js'

/** Replaces secrets anywhere in a text. The time does not depend on the number of secrets. */
export class SecretReplacer {
  readonly #replacements = new Map<string, string>()
  readonly #prefixes = new Set<string>()
  /** The lengths of the secrets, the longest first. */
  #lengths: readonly number[] = []

  /** @param secret ignored if it has fewer than 12 characters, because ordinary words could contain it */
  add(secret: string, replacement: string): void {
    if (secret.length < MIN_PARTIALLY_SHOWN) return
    this.#replacements.set(secret, replacement)
    this.#prefixes.add(secret.slice(0, MIN_PARTIALLY_SHOWN))
    if (!this.#lengths.includes(secret.length))
      this.#lengths = [...this.#lengths, secret.length].sort((a, b) => b - a)
  }

  /** Replaces all secrets in a text. */
  replaceIn(text: string): string {
    let replaced = ''
    let copied = 0
    for (const { secret, at } of this.#find(text)) {
      replaced += text.slice(copied, at) + this.#replacements.get(secret)
      copied = at + secret.length
    }
    return replaced + text.slice(copied)
  }

  /** Returns the secrets in a text. */
  secretsIn(text: string): string[] {
    return [...this.#find(text)].map(({ secret }) => secret)
  }

  *#find(text: string): Generator<{ readonly secret: string; readonly at: number }> {
    if (this.#replacements.size === 0) return
    for (let at = 0; at <= text.length - MIN_PARTIALLY_SHOWN; at++) {
      const secret = this.#at(text, at)
      if (secret === undefined) continue
      yield { secret, at }
      at += secret.length - 1
    }
  }

  #at(text: string, at: number): string | undefined {
    if (!this.#prefixes.has(text.slice(at, at + MIN_PARTIALLY_SHOWN))) return undefined
    const length = this.#lengths.find((length) => this.#replacements.has(text.slice(at, at + length)))
    return length === undefined ? undefined : text.slice(at, at + length)
  }
}
