import type { Upload } from '../../engine/assets/upload.js'
import type { Uploads } from '../../engine/assets/uploads.js'
import { partitionNote } from '../../engine/partition.js'
import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { SHARED } from '../files/any-origin.js'
import { replyWithFile } from '../files/give-file.js'
import type { Exchange, ServiceExchange } from '../operation.js'
import { readSentBody, readSentForm, withinBudget } from './read-upload.js'

/** Answers with a file that a client has uploaded, or a part of it, if the signed URL is valid. */
export async function downloadUpload(exchange: Exchange): Promise<Reply> {
  const { sim, request, note } = exchange
  note.isPart = request.header('range') !== undefined
  const { bytes, sha256, contentType, name, createdAt, isComplete } = grantedUpload(
    await sim.uploads(),
    exchange,
  )
  if (!isComplete)
    throw new Problem('not_found', 'This file has not arrived yet. Send it to this URL first.', {
      headers: SHARED,
    })
  const file = { bytes, etag: `"${sha256.slice(0, 32)}"`, contentType, name, modifiedAt: createdAt }
  return replyWithFile(request, file, SHARED)
}

/** The field of the file in a form, as in the forms of object stores. */
const FIELD = 'file'

/** Adds the bytes of an announced file: the body of a PUT request, or the file in the form of a POST request. */
export async function receiveUpload(exchange: ServiceExchange): Promise<Reply> {
  const { sim, request } = exchange
  const uploads = await sim.uploads()
  const upload = grantedUpload(uploads, exchange)
  if (!upload.isAnnounced || upload.isInParts === true)
    throw new Problem('conflict', 'This upload has its file already.', { headers: SHARED })
  const isForm = request.method === 'POST'
  const { bytes, contentType } = isForm
    ? (await readSentForm(exchange, FIELD)).file
    : await readSentBody(exchange)
  const complete = await withinBudget(sim, () => uploads.receive(upload, bytes, contentType))
  if (complete === undefined) throw missingUpload()
  return { status: isForm ? 204 : 200, headers: { ...SHARED }, body: undefined }
}

const REFUSALS = {
  tampered: new Problem(
    'forbidden',
    'The signature of this URL is wrong or missing. Use the URL as the response to the upload gave it.',
    { headers: SHARED },
  ),
  expired: new Problem('forbidden', 'This upload has expired. Upload the file again.', { headers: SHARED }),
} as const

/**
 * The upload in the path.
 * @throws Problem 403 if the signed URL is not valid, 404 if there is no such upload
 */
function grantedUpload(uploads: Uploads, { sim, request, params }: Exchange): Upload {
  const upload = uploads.get(params[0] ?? '')
  if (upload === undefined || uploads.urls.pathOf(upload) !== request.path)
    throw missingUpload(partitionNote(sim))
  const access = uploads.urls.checkAccess(
    upload,
    request.path,
    new URLSearchParams(request.query),
    sim.clock.now(),
  )
  if (access !== 'granted') throw REFUSALS[access]
  return upload
}

/**
 * Rejects a request for an upload that does not exist.
 * @param hint a further sentence for the message, with the space before it
 */
function missingUpload(hint = ''): Problem {
  const message = `There is no such upload: the URL is wrong, or the upload was deleted or has expired.${hint}`
  return new Problem('not_found', message, { headers: SHARED })
}
