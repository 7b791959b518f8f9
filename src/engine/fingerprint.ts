/** Later bytes are ignored: requests that differ only there are rare. */
const LONGEST = 65_536

/**
 * Hashes bytes to a number: FNV-1a in two lanes of 26 bits. It distinguishes requests; it is not a cryptographic hash.
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

/** A short key for maps that are keyed by API key: the key itself, or a hash of a long key. */
export function compactKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${key.length} ${fingerprintOf(encoder.encode(key))}`
}
