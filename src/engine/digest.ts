import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { yieldToEventLoop } from './yield-to-event-loop.js'

const PIECE = 500_000
const encoder = new TextEncoder()

/**
 * The SHA-256 of a text's UTF-8, in hex. It yields to the event loop before each piece, because a long text takes a
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

function* piecesOf(text: string): Generator<string> {
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
