import type { Upload, Uploads } from '../../engine/assets/uploads.js'
import type { Reply } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import { replyWithFile } from '../files/give-file.js'
import type { Exchange } from '../operation.js'
import { SHARED } from './download-file.js'

const REFUSALS = {
  tampered: new Problem(
    'forbidden',
    'The signature of this URL is wrong or missing. Use the URL as the response to the upload gave it.',
    { headers: SHARED },
  ),
  expired: new Problem('forbidden', 'This upload has expired. Upload the file again.', { headers: SHARED }),
} as const

/** Answers with a file that a client has uploaded, or a part of it, if the signed URL is valid. */
export async function answerWithUpload({ sim, request, params, note }: Exchange): Promise<Reply> {
  const uploads = await sim.uploads()
  const upload = requested(uploads, request.path, params[0])
  note.isPart = request.header('range') !== undefined
  const access = uploads.checkAccess(upload, request.path, new URLSearchParams(request.query))
  if (access !== 'granted') throw REFUSALS[access]
  const { bytes, sha256, contentType, name, createdAt } = upload
  const file = { bytes, etag: `"${sha256.slice(0, 32)}"`, contentType, name, modifiedAt: createdAt }
  return replyWithFile(request, file, SHARED)
}

/** The upload in the path. */
function requested(uploads: Uploads, path: string, id = ''): Upload {
  const upload = uploads.get(id)
  if (upload !== undefined && uploads.pathOf(upload) === path) return upload
  const message = 'There is no such upload: the URL is wrong, or the upload was deleted or has expired.'
  throw new Problem('not_found', message, { headers: SHARED })
}
