import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { SHARED } from '../handlers/download-file.js'
import type { ServiceExchange } from '../operation.js'
import { readSentBody, readSentForm } from './read-upload.js'
import { grantedUpload, missingUpload } from './upload-in-path.js'
import { withinBudget } from './within-budget.js'

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
