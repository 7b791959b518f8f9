import type { Upload } from '../../engine/assets/upload.js'
import type { Uploads } from '../../engine/assets/uploads.js'
import type { Reply } from '../../exchange/exchange.js'
import { invalid, Problem } from '../../exchange/problem.js'
import { readOptionalJsonObject } from '../json-body.js'
import type { ServiceExchange } from '../operation.js'
import { LARGEST_BODY } from '../read-bytes.js'
import { ownBytes, tooLarge, UNKNOWN_TYPE, withinBudget } from './read-upload.js'
import { ownSettings, ownUpload, type UploadForm, uploadOf } from './upload-form.js'

/** Parts must be multiples of this number of bytes in the service; here, any size is fine. */
const GRANULARITY = '262144'
const ID = 'upload_id'
/** Each part takes time to join. A client of the service sends at most 200 for the largest file. */
const MAX_PARTS = 10_000

/**
 * Keeps a file that arrives in parts, in Google's protocol of resumable uploads: the client starts the upload, and sends
 * the parts to the URL in `x-goog-upload-url`.
 * @throws Problem 400, 404, 409, 413 or 503
 */
export async function resumableUpload(exchange: ServiceExchange, form: UploadForm): Promise<Reply> {
  const id = new URLSearchParams(exchange.request.query).get(ID)
  if (id === null) return startUpload(exchange, form)
  const uploads = await exchange.sim.uploads()
  return continueUpload(exchange, form, uploads, uploadOf(exchange, uploads, id))
}

async function startUpload(exchange: ServiceExchange, form: UploadForm): Promise<Reply> {
  const { sim, request, key, dialect } = exchange
  checkCommand(request.header('x-goog-upload-command'), ['start'])
  if (Number(request.header('x-goog-upload-header-content-length') ?? 0) > LARGEST_BODY) throw tooLarge()
  const fields = await readOptionalJsonObject(exchange)
  const { name, contentType, ownId, ...order } = form.read(fields, exchange)
  const uploads = await sim.uploads()
  const announced = {
    ...order,
    owner: key,
    dialect: dialect.name,
    name: name ?? request.header('x-goog-upload-file-name') ?? 'file',
    contentType: contentType ?? request.header('x-goog-upload-header-content-type') ?? UNKNOWN_TYPE,
    isInParts: true,
  }
  const settings = ownSettings(announced, uploads, form, ownId)
  const { id } = await withinBudget(sim, () => uploads.announce({ ...announced, ...settings }))
  const url = `${form.url(exchange)}?${parametersOf(id, exchange)}`
  const headers = {
    'x-goog-upload-status': 'active',
    'x-goog-upload-url': url,
    'x-goog-upload-control-url': url,
    'x-goog-upload-chunk-granularity': GRANULARITY,
    'x-guploader-uploadid': id,
  }
  return { status: 200, headers, body: undefined }
}

/** Clients need not send the key again, so the URL has it if it may be in the query. */
function parametersOf(id: string, { key, dialect }: ServiceExchange): string {
  const { query } = dialect.key
  return new URLSearchParams({
    [ID]: id,
    upload_protocol: 'resumable',
    ...(query !== undefined && { [query]: key }),
  }).toString()
}

async function continueUpload(
  exchange: ServiceExchange,
  form: UploadForm,
  uploads: Uploads,
  upload: Upload,
): Promise<Reply> {
  const commands = checkCommand(exchange.request.header('x-goog-upload-command'), COMMANDS)
  if (commands.includes('query')) return statusReply(uploads, upload)
  checkIncomplete(upload)
  if (commands.includes('cancel')) {
    uploads.delete(upload.id)
    return { status: 200, headers: { 'x-goog-upload-status': 'cancelled' }, body: undefined }
  }
  if (commands.includes('upload')) await addPart(exchange, uploads, upload)
  return commands.includes('finalize')
    ? finalize(exchange, form, uploads, upload)
    : statusReply(uploads, upload)
}

const COMMANDS = ['upload', 'finalize', 'query', 'cancel']

async function addPart(exchange: ServiceExchange, uploads: Uploads, { id }: Upload): Promise<void> {
  const { sim, request } = exchange
  const part = await ownBytes(exchange)
  // Other requests may have changed the upload while the part arrived.
  const upload = uploads.get(id)
  if (upload === undefined) throw canceled()
  checkIncomplete(upload)
  const offset = request.header('x-goog-upload-offset') ?? '0'
  const { count, size } = uploads.parts.arrivedOf(id)
  if (Number(offset) !== size)
    throw new Problem(
      'invalid_request',
      `The part begins at ${offset.slice(0, 20)}, but ${size} bytes have arrived. Send the part that begins there; the command \`query\` asks for the number.`,
    )
  if (size + part.length > LARGEST_BODY) throw tooLarge()
  if (part.length === 0) return
  if (count === MAX_PARTS)
    throw new Problem(
      'payload_too_large',
      `The upload has ${MAX_PARTS} parts already. Send it again in larger ones.`,
    )
  if (!(await withinBudget(sim, () => uploads.append(upload, part)))) throw canceled()
}

async function finalize(
  exchange: ServiceExchange,
  form: UploadForm,
  uploads: Uploads,
  upload: Upload,
): Promise<Reply> {
  const complete = await withinBudget(exchange.sim, () => uploads.finish(upload))
  if (complete === undefined) throw canceled()
  const { headers, ...reply } = form.write(ownUpload(exchange, uploads, complete), exchange)
  return { ...reply, headers: { ...headers, ...statusOf(uploads, complete) } }
}

/** @throws Problem 409 if the upload has all its parts */
function checkIncomplete({ isComplete }: Upload): void {
  if (isComplete) throw new Problem('conflict', 'This upload has its file already.')
}

function canceled(): Problem {
  return new Problem('not_found', 'The upload was canceled in the meantime.')
}

function statusReply(uploads: Uploads, upload: Upload): Reply {
  return { status: 200, headers: statusOf(uploads, upload), body: undefined }
}

function statusOf({ parts }: Uploads, { id, isComplete }: Upload): Record<string, string> {
  return {
    'x-goog-upload-status': isComplete ? 'final' : 'active',
    'x-goog-upload-size-received': String(parts.arrivedOf(id).size),
  }
}

/** @throws Problem 400 if there is no command, or another one */
function checkCommand(given: string | undefined, expected: readonly string[]): string[] {
  const commands = (given ?? '').split(',').map((text) => text.trim().toLowerCase())
  if (commands.every((command) => expected.includes(command))) return commands
  throw invalid('field', 'X-Goog-Upload-Command', given, `one of ${expected.join(', ')}`)
}
