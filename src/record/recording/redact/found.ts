import { MASK } from '../../../engine/secret-patterns.js'
import type { Span } from './views.js'

/** A part of a text that must not be written. */
export interface Found extends Span {
  /** What replaces it; a mask if undefined. */
  readonly replacement?: string | undefined
  /** Whether it was found by the name of a secret or by its form, so that it must not be anywhere else. */
  readonly isSecret?: boolean
}

/** Replaces parts of a text. Parts that overlap become one; if none contains the others, a mask replaces it. */
export function replaceFound(text: string, found: readonly Found[]): string {
  const sorted = found
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start || other.end - one.end)
  let replaced = ''
  let copied = 0
  for (let index = 0; index < sorted.length; ) {
    const first = sorted[index] ?? { start: 0, end: 0 }
    let { end } = first
    for (index++; (sorted[index]?.start ?? Infinity) < end; index++)
      end = Math.max(end, sorted[index]?.end ?? 0)
    replaced += text.slice(copied, first.start) + (end === first.end ? (first.replacement ?? MASK) : MASK)
    copied = end
  }
  return replaced + text.slice(copied)
}
