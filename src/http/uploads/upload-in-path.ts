import type { Upload } from '../../engine/assets/upload.js'
import type { Uploads } from '../../engine/assets/uploads.js'
import { partitionNote } from '../../engine/partition.js'
import { Problem } from '../../exchange/problem.js'
import { SHARED } from '../handlers/download-file.js'
import type { Exchange } from '../operation.js'

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
export function grantedUpload(uploads: Uploads, { sim, request, params }: Exchange): Upload {
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
export function missingUpload(hint = ''): Problem {
  const message = `There is no such upload: the URL is wrong, or the upload was deleted or has expired.${hint}`
  return new Problem('not_found', message, { headers: SHARED })
}
