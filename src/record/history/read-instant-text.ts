import { isSupportedInstant } from '../../engine/clock/instants.js'

/** Reads an instant in a text. @returns undefined if it is none, or not in the years 1 to 9999 */
export function readInstantText(text: string): number | undefined {
  const at = Date.parse(text)
  return isSupportedInstant(at) ? at : undefined
}
