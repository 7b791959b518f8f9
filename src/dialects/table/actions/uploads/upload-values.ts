import type { Upload } from '../../../../engine/assets/upload.js'
import { isoTime } from '../../../../engine/clock/instants.js'
import type { JsonValue } from '../../../../engine/json.js'
import type { Values } from '../../template/compile.js'

/** An uploaded file, and everything else that its templates may need. */
export interface UploadScope {
  readonly upload: Upload
  /** The signed URL, from which the file is served; an announced file is sent there. */
  readonly url: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The start of all URLs of the service, up to its prefix. */
  readonly base: string
}

/** The values in templates of uploads. docs/reference/dialect.md lists them. */
export const UPLOAD_VALUES = {
  id: ({ upload }) => upload.ownId ?? upload.id,
  name: ({ upload }) => upload.name,
  content_type: ({ upload }) => upload.contentType,
  size: ({ upload }) => upload.bytes.length,
  sha256: ({ upload }) => (upload.isComplete ? upload.sha256 : undefined),
  url: ({ url }) => url,
  created_at: ({ upload }) => isoTime(upload.createdAt),
  expires_at: ({ upload }) => isoTime(upload.expiresAt),
  state: ({ upload, now }) => (now < (upload.readyAt ?? Number.POSITIVE_INFINITY) ? 'processing' : 'ready'),
  kept: ({ upload }) => upload.kept,
  base: ({ base }) => base,
} satisfies Values<UploadScope>

/** A page of the uploads of a key, newest first. */
export interface UploadListScope {
  readonly uploads: JsonValue[]
  readonly nextCursor: string | undefined
  readonly base: string
}

/** The values in the template of a list of uploads. */
export const UPLOAD_LIST_VALUES = {
  uploads: ({ uploads }) => uploads,
  count: ({ uploads }) => uploads.length,
  has_more: ({ nextCursor }) => nextCursor !== undefined,
  next_cursor: ({ nextCursor }) => nextCursor,
  base: ({ base }) => base,
} satisfies Values<UploadListScope>
