import { mask, SHORTEST_SHOWN } from '../../engine/mask.js'
import { httpUrl } from '../../engine/webhooks/http-url.js'
import { isMaskedUrl, maskUrl, secretsInUrl } from '../../engine/webhooks/mask-url.js'
import { DEFAULTS } from '../model/defaults.js'
import type { ScenarioLayer } from '../model/layer.js'
import type { Scenario } from '../model/scenario.js'
import { Hidden } from './hidden.js'
import { mapTexts, type SecretKind } from './places.js'

/** What {@link mask} gives, and a number where several secrets would look the same. */
const PLACEHOLDER = /^(?:\*\*\*|.{3}\.\.\..{4})(?:#[1-9]\d*)?$/s

/** The default secrets are public. */
const PUBLIC: readonly string[] = [DEFAULTS.webhooks.secret, DEFAULTS.webhooks.previous_secret]

function isSecret(text: string, kind: SecretKind): boolean {
  return kind !== 'url' && !PUBLIC.includes(text) && !(kind === 'key pattern' && text.includes('*'))
}

/** Whether a text stands for a secret that its writer has not seen. */
export function isPlaceholder(text: string, kind: SecretKind): boolean {
  return kind === 'url' ? isMaskedUrl(text) : PLACEHOLDER.test(text)
}

/**
 * The placeholders of the secrets of one scenario: what is shown in place of each, and which secret each stands for.
 * Every secret has one placeholder, and no two share one, so a placeholder may move to other places of its kind.
 */
export class Placeholders {
  readonly #shown = new Map<string, string>()
  readonly #secrets = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #hidden = new Hidden()
  /** The texts that stand where a receiver belongs, and those that stand where a key or a secret belongs. */
  readonly #urls = new Set<string>()
  readonly #keys = new Set<string>()

  /** @param inherited secrets of an earlier scenario that this one may have at places that do not mask them */
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

  /** Whether the scenario has no secret at all. */
  get isEmpty(): boolean {
    return this.#shown.size === 0
  }

  /** What is shown in place of a text; undefined where it is no secret. */
  of(text: string): string | undefined {
    return this.#shown.get(text) ?? this.#shown.get(httpUrl(text) ?? text)
  }

  /**
   * The secret behind a placeholder.
   * @returns undefined if the placeholder stands for none, or for one that must not stand at a place of that kind:
   *   answers show a receiver as a URL, so they would show anything else there in clear
   */
  secretOf(placeholder: string, kind: SecretKind): string | undefined {
    const secret = this.#secrets.get(placeholder)
    return secret !== undefined && this.#textsAt(kind).has(secret) ? secret : undefined
  }

  /** Whether a text is a placeholder, of whatever kind; a URL or a pattern that is shown as it is stands for itself. */
  has(text: string): boolean {
    return (this.#secrets.get(text) ?? text) !== text
  }

  /** The secrets that a layer has at any place. */
  secretsIn(layer: ScenarioLayer): Set<string> {
    const found = new Set<string>()
    mapTexts(layer, (text) => {
      if (this.#shown.has(text) && this.#keys.has(text)) found.add(text)
      for (const secret of this.#hidden.secretsIn(text)) if (this.#keys.has(secret)) found.add(secret)
      return text
    })
    return found
  }

  /** A text with a placeholder for each secret of 12 characters or more in it. */
  hideIn(text: string): string {
    return this.#hidden.in(text)
  }

  /** Whether a text that is no secret holds a placeholder; `***` is too short to be told from ordinary text. */
  standsIn(text: string): boolean {
    if (this.#secrets.has(text) && !text.startsWith('***')) return true
    return [...text.matchAll(/\.\.\./g)].some(({ index }) =>
      this.#secrets.has(text.slice(Math.max(0, index - 3), index + 7)),
    )
  }

  #textsAt(kind: SecretKind): Set<string> {
    return kind === 'url' ? this.#urls : this.#keys
  }

  /** Comments and other texts may repeat a secret of a URL, or the URL in another form. */
  #addSecretsInUrl(url: string, taken: ReadonlyMap<string, unknown>): void {
    for (const secret of secretsInUrl(url)) {
      if (secret.length < SHORTEST_SHOWN || this.#shown.has(secret)) continue
      this.#keys.add(secret)
      this.#add(secret, mask(secret), taken)
    }
  }

  /** A URL or a pattern, which may hold secrets; without any it stands for itself, even if it looks masked. */
  #addOther(text: string, kind: SecretKind, taken: ReadonlyMap<string, unknown>): void {
    const shown = this.hideIn(kind === 'url' ? maskUrl(text) : text)
    if (shown === text) this.#secrets.set(text, text)
    else this.#add(text, shown, taken)
  }

  #add(secret: string, shown: string, taken: ReadonlyMap<string, unknown>): void {
    const placeholder = this.#free(shown, taken)
    this.#shown.set(secret, placeholder)
    this.#secrets.set(placeholder, secret)
    this.#hidden.add(secret, placeholder)
  }

  /** What is shown for the first secret that looks so, and with a number for each further one. */
  #free(shown: string, taken: ReadonlyMap<string, unknown>): string {
    let count = this.#counts.get(shown) ?? 0
    let placeholder: string
    do {
      count += 1
      placeholder = count === 1 ? shown : `${shown}#${count}`
    } while (this.#secrets.has(placeholder) || taken.has(placeholder))
    this.#counts.set(shown, count)
    return placeholder
  }
}

const known = new WeakMap<ScenarioLayer, Placeholders>()

/** The placeholders of a scenario, all that it extends included. */
export function placeholdersOf({ layer }: Scenario): Placeholders {
  const placeholders = known.get(layer) ?? new Placeholders(layer)
  known.set(layer, placeholders)
  return placeholders
}

/**
 * Masks the secrets of a scenario also in one that was made from it, at places and in texts that would not mask them:
 * a key with a `*` in it, or a description that repeats a key which has been removed.
 * @returns the scenario that was made
 */
export function inheritSecrets(from: Scenario, made: Scenario): Scenario {
  const secrets = placeholdersOf(from).secretsIn(made.layer)
  if (secrets.size > 0) known.set(made.layer, new Placeholders(made.layer, secrets))
  return made
}
