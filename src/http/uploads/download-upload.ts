import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { replyWithFile } from '../files/give-file.js'
import { SHARED } from '../handlers/download-file.js'
import type { Exchange } from '../operation.js'
import { grantedUpload } from './upload-in-path.js'

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
