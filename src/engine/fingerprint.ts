/** Bytes beyond this do not count: nobody tells two requests apart by their last megabyte. */
const LONGEST = 65_536

/**
 * A number that stands for some bytes: FNV-1a in two lanes of 26 bits. For telling requests apart, not for
 * keeping secrets.
 */
export function fingerprintOf(bytes: Uint8Array): number {
  let high = 0x811c9dc5 ^ bytes.length
  let low = 0x01000193
  const end = Math.min(bytes.length, LONGEST)
  for (let index = 0; index < end; index++) {
    const byte = bytes[index] ?? 0
    high = Math.imul(high ^ byte, 0x01000193)
    low = Math.imul(low + byte, 0x85ebca6b) ^ (low >>> 13)
  }
  return (high >>> 6) * 0x400_0000 + (low >>> 6)
}

const LONGEST_KEY = 64
const encoder = new TextEncoder()

/** What stands for an API key in a table: the key itself, or a few characters that stand for a long one. */
export function compactKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${key.length} ${fingerprintOf(encoder.encode(key))}`
}
