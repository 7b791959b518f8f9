const STEP = 0x8000

/** Encodes bytes as base64. */
export function base64OfBytes(bytes: Uint8Array): string {
  return btoa(binaryText(bytes))
}

/** A text with one character for each byte. */
export function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP))
  return text
}
