import type { JsonValue } from '../json.js'

/** A file that a client announces: it sends the bytes later, to the URL of the upload. */
export interface AnnouncedUpload {
  /** The API key of the client. */
  readonly owner: string
  /** The wire format of the request; undefined if it does not matter. */
  readonly dialect?: string | undefined
  /** The name of the file; only its first 200 characters are kept. */
  readonly name: string
  /** Such as `image/png`; any other text counts as `application/octet-stream`. */
  readonly contentType: string
  /** Values of the request for later answers. */
  readonly kept?: JsonValue | undefined
  /** Whether the client sends the bytes in parts, not to the URL of the upload. */
  readonly isInParts?: boolean | undefined
  /** The id that the client has chosen. */
  readonly ownId?: string | undefined
  /** How long the service processes the file after it has arrived, in milliseconds; not at all by default. */
  readonly processing?: number | undefined
  /** How long it is available, in milliseconds; as long as an output URL by default. */
  readonly lifetime?: number | undefined
}

/** A file that a client sends. */
export interface NewUpload extends AnnouncedUpload {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A file that a client has sent or announced. Times are epoch milliseconds. */
export interface Upload extends Omit<NewUpload, 'lifetime'> {
  /** 24 lower-case letters and digits. */
  readonly id: string
  /** Whether the client announced the file, so that its URL accepts the bytes. */
  readonly isAnnounced: boolean
  /** Whether the bytes have arrived. */
  readonly isComplete: boolean
  /** The SHA-256 of the bytes, in lower-case hex. */
  readonly sha256: string
  readonly createdAt: number
  readonly expiresAt: number
  /** When the service has processed the file; undefined if the bytes have not arrived. */
  readonly readyAt: number | undefined
  /** The number of the uploads of the same file that it is counted with. */
  readonly identity: number
}

const LONGEST_NAME = 200
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+-]+)*$/

/**
 * Shortens a name, and makes it valid in a URL: dots alone would change the path, and half a character cannot be
 * encoded.
 */
export function nameInUrl(name: string): string {
  const short = [...name]
    .slice(0, LONGEST_NAME)
    .join('')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
  return /^\.*$/.test(short) ? 'file' : short
}

/** The type of a file, or that of unknown data if the text is not a media type. */
export function validType(contentType: string): string {
  return CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream'
}
