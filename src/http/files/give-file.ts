import { fileTypeOf } from '../../engine/assets/asset.js'
import type { RenderedFile } from '../../engine/assets/file-cache.js'
import { httpDate } from '../../engine/clock/instants.js'
import { percentEncoded } from '../../engine/requests/headers.js'
import type { Task } from '../../engine/tasks/task.js'
import type { ApiRequest, Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import type { Exchange } from '../operation.js'

/**
 * The permissions of a file that a browser opens as a page, such as a user's SVG: its own styles and an opaque origin,
 * but no scripts, forms, frames or requests.
 */
const FILE_RULES = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const FILE_POLICY = `sandbox; ${FILE_RULES}`

/**
 * A browser wraps a video or a sound in a page that loads the file again. From an opaque origin that request would
 * count as cross-origin, so this policy keeps the origin of the server. The page cannot run scripts either.
 */
const MEDIA_POLICY = `sandbox allow-same-origin; ${FILE_RULES}`

/**
 * Answers with a file as a CDN does: whole or in part, or with 304 if the client has it already.
 * @param shared headers of every answer
 * @throws Problem 416 if the range is outside of the file
 */
export async function fileReply(
  exchange: Exchange,
  task: Task,
  file: number,
  shared: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { sim, request } = exchange
  const cached = sim.files.get(task, file)
  const { bytes, etag } = cached instanceof Promise ? await cached : cached
  const { contentType, extension } = fileTypeOf(task, file)
  const modifiedAt = task.completedAt ?? task.createdAt
  const name = `${task.id}-${file}.${extension}`
  return replyWithFile(request, { bytes, etag, contentType, name, modifiedAt }, shared)
}

/** A file, independent of its source. */
export interface ServedFile extends RenderedFile {
  readonly contentType: string
  /** The name under which a browser saves it. */
  readonly name: string
  /** Epoch milliseconds. */
  readonly modifiedAt: number
}

/**
 * Answers with the bytes of a file: whole or in part, or with 304 if the client has it already.
 * @param shared headers of every answer
 * @throws Problem 416 if the range is outside of the file
 */
export function replyWithFile(
  request: ApiRequest,
  file: ServedFile,
  shared: Readonly<Record<string, string>> = {},
): Reply {
  const version: Version = { etag: file.etag, modified: Math.floor(file.modifiedAt / 1_000) * 1_000 }
  const headers = { ...headersOf(file, version), ...shared }
  if (isKnown(request, version)) return { status: 304, headers, body: undefined }
  return replyWith(
    request.method === 'GET' ? partOf(request, file, version, shared) : undefined,
    file,
    headers,
  )
}

function headersOf({ contentType, name }: ServedFile, { etag, modified }: Version): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': dispositionOf(name),
    'accept-ranges': 'bytes',
    etag,
    'last-modified': httpDate(modified),
    // A cached copy would hide that its URL has expired on an advanced clock.
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    // Browsers do not show a PDF in a sandbox. Their PDF viewers run its scripts outside of the origin of the file.
    ...(contentType !== 'application/pdf' && { 'content-security-policy': policyOf(contentType) }),
  }
}

/** A header contains only ASCII, so another name is also sent in its encoded form (RFC 6266). */
function dispositionOf(name: string): string {
  const ascii = name.replace(/[^ !#-[\]-~]/g, '_')
  const encoded = percentEncoded(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `inline; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encoded}`}`
}

function policyOf(contentType: string): string {
  return /^(?:video|audio)\//.test(contentType) ? MEDIA_POLICY : FILE_POLICY
}

function partOf(
  request: ApiRequest,
  { bytes }: RenderedFile,
  version: Version,
  shared: Readonly<Record<string, string>>,
): ByteRange | undefined {
  if (!mayBePart(request, version)) return undefined
  const range = byteRange(request.header('range'), bytes.length)
  if (range !== 'unsatisfiable') return range
  throw new Problem(
    'range_not_satisfiable',
    `The file has ${bytes.length} bytes, and none of them is in the range ${request.header('range')}.`,
    { headers: { ...shared, 'content-range': `bytes */${bytes.length}` } },
  )
}

/** Answers with a part, or with the whole file if the part is undefined. */
function replyWith(
  part: ByteRange | undefined,
  { bytes }: RenderedFile,
  headers: Record<string, string>,
): Reply {
  const body = part === undefined ? bytes : bytes.subarray(part.first, part.last + 1)
  headers['content-length'] = String(body.length)
  if (part === undefined) return { status: 200, headers, body }
  headers['content-range'] = `bytes ${part.first}-${part.last}/${bytes.length}`
  return { status: 206, headers, body }
}

/** Identifies a version of a file. */
interface Version {
  /** Including its quotes. */
  readonly etag: string
  /** In whole seconds, as epoch milliseconds. */
  readonly modified: number
}

/** Whether the client has this version already (RFC 9110, 13.1.2 and 13.1.3). */
function isKnown(request: ApiRequest, { etag, modified }: Version): boolean {
  const tags = request.header('if-none-match')
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  }
  return modified <= Date.parse(request.header('if-modified-since') ?? '')
}

/** Whether a part may be sent: `If-Range` is missing or names this version (RFC 9110, 13.1.5). */
function mayBePart(request: ApiRequest, { etag, modified }: Version): boolean {
  const version = request.header('if-range')
  return version === undefined || version === etag || Date.parse(version) === modified
}

/** The first and the last byte of a part of a file. */
interface ByteRange {
  readonly first: number
  readonly last: number
}

const SINGLE = /^bytes=(\d*)-(\d*)$/

/**
 * Reads a `Range` header (RFC 9110, 14.2).
 * @returns undefined for the whole file: the header is missing, invalid or has several ranges, which a server need not
 * serve; `unsatisfiable` if it is outside of the file
 */
function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const match = SINGLE.exec(header?.replaceAll(' ', '') ?? '')
  if (match === null) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  // Without a first byte, the number counts from the end.
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined
  return first > last || first >= length ? 'unsatisfiable' : { first, last }
}
