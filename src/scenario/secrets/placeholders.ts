import { isMaskedUrl, MIN_PARTIALLY_SHOWN, mask, maskUrl, secretsInUrl } from '../../engine/mask.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { DIALECT_SECRETS } from '../../engine/webhooks/signing/signature.js'
import { DEFAULTS } from '../defaults.generated.js'
import type { Scenario, ScenarioLayer } from '../scenario.js'
import { mapTexts, type SecretKind } from './secret-paths.js'

/** A result of {@link mask}, with a number if several secrets have the same result. */
const PLACEHOLDER = /^(?:\*\*\*(?:[\da-f]{2})?|.{3}\.\.\..{4})(?:#[1-9]\d*)?$/s

/** The default secrets are public. */
const PUBLIC: readonly string[] = [DEFAULTS.webhooks, DIALECT_SECRETS].flatMap((defaults) => [
  defaults.secret,
  defaults.previous_secret,
])

function isSecret(text: string, kind: SecretKind): boolean {
  return kind !== 'url' && !PUBLIC.includes(text) && !(kind === 'key pattern' && text.includes('*'))
}

/** Whether a text has the form of a placeholder. */
export function isPlaceholder(text: string, kind: SecretKind): boolean {
  return kind === 'url' ? isMaskedUrl(text) : PLACEHOLDER.test(text)
}

/**
 * Maps the secrets of one scenario to placeholders and back. Each secret has its own placeholder, so a client may move a
 * placeholder to other places of its kind.
 */
export class Placeholders {
  readonly #placeholders = new Map<string, string>()
  readonly #secrets = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #replacer = new SecretReplacer()
  /** The texts at places for receivers, and the texts at places for keys and secrets. */
  readonly #urls = new Set<string>()
  readonly #keys = new Set<string>()

  /** @param inherited secrets of an earlier scenario that this one may have at unmasked places */
  constructor(layer: ScenarioLayer, inherited: Iterable<string> = []) {
    const texts = new Map<string, SecretKind>([...inherited].map((secret) => [secret, 'secret']))
    for (const secret of texts.keys()) this.#keys.add(secret)
    mapTexts(layer, (text, kind) => {
      if (kind === undefined) return text
      if (!texts.has(text) || isSecret(text, kind)) texts.set(text, kind)
      this.#textsAt(kind).add(text)
      return text
    })
    for (const [text, kind] of texts) if (isSecret(text, kind)) this.#add(text, mask(text), texts)
    for (const url of this.#urls) this.#addSecretsInUrl(url, texts)
    for (const [text, kind] of texts) if (!isSecret(text, kind)) this.#addOther(text, kind, texts)
  }

  /** Whether the scenario has no secrets. */
  get isEmpty(): boolean {
    return this.#placeholders.size === 0
  }

  /** Returns the placeholder of a secret. Returns undefined for any other text. */
  of(text: string): string | undefined {
    return this.#placeholders.get(text) ?? this.#placeholders.get(httpUrl(text) ?? text)
  }

  /**
   * Returns the secret of a placeholder.
   * @returns undefined if there is none, or if the place is of another kind: responses show the URL of a
   *   receiver, so they would reveal any other secret there
   */
  secretOf(placeholder: string, kind: SecretKind): string | undefined {
    const secret = this.#secrets.get(placeholder)
    return secret !== undefined && this.#textsAt(kind).has(secret) ? secret : undefined
  }

  /** Whether a text is a placeholder of any kind. A URL or a pattern without secrets is not. */
  has(text: string): boolean {
    return (this.#secrets.get(text) ?? text) !== text
  }

  /** Returns the secrets that a layer has at any place. */
  secretsIn(layer: ScenarioLayer): Set<string> {
    const found = new Set<string>()
    mapTexts(layer, (text) => {
      if (this.#placeholders.has(text) && this.#keys.has(text)) found.add(text)
      for (const secret of this.#replacer.secretsIn(text)) if (this.#keys.has(secret)) found.add(secret)
      return text
    })
    return found
  }

  /** Replaces each secret of 12 characters or more in a text with its placeholder. */
  maskIn(text: string): string {
    return this.#replacer.replaceIn(text)
  }

  /** Whether an ordinary text contains a placeholder. It ignores `***`, which may be ordinary text. */
  isIn(text: string): boolean {
    if (this.#secrets.has(text) && !text.startsWith('***')) return true
    return [...text.matchAll(/\.\.\./g)].some(({ index }) =>
      this.#secrets.has(text.slice(Math.max(0, index - 3), index + 7)),
    )
  }

  #textsAt(kind: SecretKind): Set<string> {
    return kind === 'url' ? this.#urls : this.#keys
  }

  /** Adds the secrets in a URL, because comments and other texts may repeat them. */
  #addSecretsInUrl(url: string, taken: ReadonlyMap<string, unknown>): void {
    for (const secret of secretsInUrl(url)) {
      if (secret.length < MIN_PARTIALLY_SHOWN || this.#placeholders.has(secret)) continue
      this.#keys.add(secret)
      this.#add(secret, mask(secret), taken)
    }
  }

  /** Adds a URL or a pattern. Without secrets, it is its own placeholder, even if it looks masked. */
  #addOther(text: string, kind: SecretKind, taken: ReadonlyMap<string, unknown>): void {
    const masked = this.maskIn(kind === 'url' ? maskUrl(text) : text)
    if (masked === text) this.#secrets.set(text, text)
    else this.#add(text, masked, taken)
  }

  #add(secret: string, masked: string, taken: ReadonlyMap<string, unknown>): void {
    const placeholder = this.#free(masked, taken)
    this.#placeholders.set(secret, placeholder)
    this.#secrets.set(placeholder, secret)
    this.#replacer.add(secret, placeholder)
  }

  /** Returns an unused placeholder, with a number if necessary. */
  #free(masked: string, taken: ReadonlyMap<string, unknown>): string {
    let count = this.#counts.get(masked) ?? 0
    let placeholder: string
    do {
      count += 1
      placeholder = count === 1 ? masked : `${masked}#${count}`
    } while (this.#secrets.has(placeholder) || taken.has(placeholder))
    this.#counts.set(masked, count)
    return placeholder
  }
}

const cache = new WeakMap<ScenarioLayer, Placeholders>()

/** Returns the placeholders of a scenario. */
export function placeholdersOf({ layer }: Scenario): Placeholders {
  const placeholders = cache.get(layer) ?? new Placeholders(layer)
  cache.set(layer, placeholders)
  return placeholders
}

/**
 * Also masks the secrets of a scenario in a scenario derived from it, even at unmasked places: for example a key with a
 * `*`, or a description that repeats a removed key.
 * @returns the derived scenario
 */
export function inheritSecrets(from: Scenario, derived: Scenario): Scenario {
  const secrets = placeholdersOf(from).secretsIn(derived.layer)
  if (secrets.size > 0) cache.set(derived.layer, new Placeholders(derived.layer, secrets))
  return derived
}

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
