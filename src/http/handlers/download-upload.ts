import type { Upload } from '../../engine/assets/uploads.js'
import { Problem } from '../exchange/problem.js'
import { replyWithFile } from '../files/give-file.js'
import type { Exchange, Operation } from '../operation.js'
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
export const downloadUpload: Operation = {
  id: 'files.download',
  authenticated: false,
  run(exchange) {
    const upload = requested(exchange)
    const { sim, request } = exchange
    exchange.note.isPart = request.header('range') !== undefined
    const access = sim.uploads.checkAccess(upload, request.path, new URLSearchParams(request.query))
    if (access !== 'granted') throw REFUSALS[access]
    const { bytes, sha256, contentType, name, createdAt } = upload
    const file = { bytes, etag: `"${sha256.slice(0, 32)}"`, contentType, name, modifiedAt: createdAt }
    return replyWithFile(request, file, SHARED)
  },
}

/** The upload in the path. */
function requested({ sim, request, params: [id = ''] }: Exchange): Upload {
  const upload = sim.uploads.get(id)
  if (upload !== undefined && sim.uploads.pathOf(upload) === request.path) return upload
  const message = 'There is no such upload: the URL is wrong, or the upload was deleted or has expired.'
  throw new Problem('not_found', message, { headers: SHARED })
}
