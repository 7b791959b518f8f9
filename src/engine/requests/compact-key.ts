import { fingerprintOf } from '../fingerprint.js'

const LONGEST = 64
const encoder = new TextEncoder()

/** What stands for an API key in a table: the key itself, or a few characters that stand for a long one. */
export function compactKey(key: string): string {
  return key.length <= LONGEST ? key : `${key.length} ${fingerprintOf(encoder.encode(key))}`
}
