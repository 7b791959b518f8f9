import type { Placeholders } from './placeholders.js'
import { rewriteText } from './rewrite-text.js'

/**
 * The text of a scenario with placeholders for its secrets: wherever a secret belongs, and for secrets of 12 characters
 * or more also in comments and other texts.
 */
export function maskText(text: string, placeholders: Placeholders): string {
  const masked = rewriteText(text, ({ value, kind, isAnchored }) => {
    const placeholder = kind !== undefined || isAnchored ? placeholders.of(value) : undefined
    return placeholder ?? placeholders.hideIn(value)
  })
  return placeholders.hideIn(masked)
}

/**
 * The text with the secrets that its placeholders stand for.
 * @param restored the secrets by their placeholders, as far as the scenario of the text has them
 */
export function unmaskText(text: string, restored: ReadonlyMap<string, string>): string {
  return rewriteText(text, ({ value, kind, isAnchored }) =>
    kind !== undefined || isAnchored ? restored.get(value) : undefined,
  )
}
