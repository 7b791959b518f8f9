import type { JsonValue } from '../../../engine/json.js'
import { mask } from '../../../engine/mask.js'
import { isSecretName } from '../../../engine/secret-names.js'

/** Shorter texts are rarely secrets, and would hide other parts of a body. */
const SHORTEST = 8

/** The texts in fields with the names of secrets, such as a signing secret that a service has just created. */
export function secretTexts(value: JsonValue | undefined, name = ''): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST && isSecretName(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, inner]) =>
    secretTexts(inner, Array.isArray(value) ? name : field),
  )
}

/** A text without some secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, mask(secret)), text)
}
