import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { yieldToEventLoop } from './awaitable.js'

const PIECE = 500_000
const encoder = new TextEncoder()

/**
 * The SHA-256 of a string's UTF-8, in hex. It yields to the event loop before each piece, because a long text takes a
 * while. WebCrypto would be faster, but browsers deny it to pages without TLS.
 */
export async function digestOf(text: string): Promise<string> {
  const hash = sha256.create()
  for (const piece of piecesOf(text)) {
    await yieldToEventLoop()
    hash.update(encoder.encode(piece))
  }
  return bytesToHex(hash.digest())
}

/** The same digest, without yielding. */
export function digestSync(text: string): string {
  const hash = sha256.create()
  for (const piece of piecesOf(text)) hash.update(encoder.encode(piece))
  return bytesToHex(hash.digest())
}

/** The largest file to hash on this thread, in bytes. */
const MAX_SYNC_HASH = 65_536

/**
 * The SHA-256 of bytes, in hex. Web Crypto hashes large files in the background, where it is available, so that they do
 * not delay requests.
 */
export async function digestOfBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { crypto }: { crypto?: Partial<typeof globalThis.crypto> } = globalThis
  const subtle = bytes.length > MAX_SYNC_HASH ? crypto?.subtle : undefined
  return bytesToHex(
    subtle === undefined ? sha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)),
  )
}

/** Pieces of a text that are short enough for a turn of the event loop. No surrogate pair is split. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start)
    yield text.slice(start, end)
    start = end
  }
}

/** Keeps surrogate pairs together, because half a pair cannot be encoded in UTF-8. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

/** Compares two strings in constant time. */
export function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < expected.length; index++)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index)
  return difference === 0
}

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

/** A short key for maps that are keyed by API key: the key itself, or a hash of a long key. */
export function compactKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${key.length} ${fingerprintOf(encoder.encode(key))}`
}
