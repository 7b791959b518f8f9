// A multiple of 3, so that the pieces of Base64 can be joined; small enough for the arguments of a function.
const PIECE = 8_190

/** The encoder of Node, which takes a hundredth of the time; browsers have none. */
const { Buffer: NodeBuffer } = globalThis as { readonly Buffer?: NodeEncoder }

interface NodeEncoder {
  from(buffer: ArrayBufferLike, start: number, length: number): { toString(encoding: 'base64'): string }
}

/** Encodes bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  if (NodeBuffer !== undefined)
    return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const texts: string[] = []
  for (let start = 0; start < bytes.length; start += PIECE)
    texts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE))))
  return texts.join('')
}

/** Encodes bytes as Base64 for URLs, without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** Decodes Base64. @returns undefined if the text is none */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
