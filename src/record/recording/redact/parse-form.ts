import { bytesToHex } from '@noble/hashes/utils.js'
import { sha256 } from '../../../engine/sha256.js'
import type { RecordedField } from '../recording.js'

const BOUNDARY = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i

/**
 * Reads the fields of a form, with only the hashes of its files.
 * @returns undefined if the body is no form
 */
export function parseForm(body: Uint8Array, contentType: string): RecordedField[] | undefined {
  if (/^application\/x-www-form-urlencoded/i.test(contentType))
    return [...new URLSearchParams(new TextDecoder().decode(body))].map(([name, text]) => ({ name, text }))
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? undefined : partsOf(binaryText(body), boundary)
}

function partsOf(binary: string, boundary: string): RecordedField[] {
  const [, ...parts] = `\r\n${binary}`.split(`\r\n--${boundary}`)
  return parts.flatMap((part): RecordedField[] => {
    const end = part.indexOf('\r\n\r\n')
    if (part.startsWith('--') || end === -1) return []
    const head = utf8(part.slice(0, end))
    const bytes = bytesOf(part.slice(end + 4))
    const [, name = ''] = /[;\s]name="([^"]*)"/i.exec(head) ?? []
    const [, file_name] = /[;\s]filename="([^"]*)"/i.exec(head) ?? []
    const [, content_type] = /^content-type:\s*(.*?)\s*$/im.exec(head) ?? []
    if (file_name === undefined) return [{ name, text: new TextDecoder().decode(bytes) }]
    return [{ name, file_name, ...(content_type && { content_type }), ...bytesAndHash(bytes) }]
  })
}

/** The number of bytes, and their SHA-256. */
export function bytesAndHash(bytes: Uint8Array): { readonly bytes: number; readonly sha256: string } {
  return { bytes: bytes.length, sha256: bytesToHex(sha256(bytes)) }
}

const STEP = 0x8000

/** A text with one character for each byte. */
function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP))
  return text
}

function bytesOf(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function utf8(binary: string): string {
  return new TextDecoder().decode(bytesOf(binary))
}
