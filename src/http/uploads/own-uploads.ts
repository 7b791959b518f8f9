import { pageOf } from '../../dialects/item-page.js'
import type { ListUploadsAction, OneUploadAction, OwnUpload } from '../../dialects/upload-action.js'
import type { Upload } from '../../engine/assets/upload.js'
import { isShown, type Uploads } from '../../engine/assets/uploads.js'
import type { Reply } from '../../exchange/exchange.js'
import { Problem, unknownCursor } from '../../exchange/problem.js'
import type { ServiceExchange } from '../operation.js'

/** Answers with the upload in the path, or deletes it. */
export async function oneUpload(exchange: ServiceExchange, action: OneUploadAction): Promise<Reply> {
  const uploads = await exchange.sim.uploads()
  const id = action.id(exchange)
  const upload = uploadOf(exchange, uploads, id)
  if (!isShown(upload)) throw missingUpload(id)
  const reply = action.encode(ownUpload(exchange, uploads, upload), exchange)
  if (action.operation === 'files.delete') uploads.delete(upload.id)
  return reply
}

/**
 * The upload with an id.
 * @throws Problem 404 if it does not exist, or belongs to another key or dialect
 */
export function uploadOf({ key, dialect }: ServiceExchange, uploads: Uploads, id: string): Upload {
  const upload = uploads.named(id, key, dialect.name) ?? uploads.get(id)
  if (upload?.owner === key && upload.dialect === dialect.name) return upload
  throw missingUpload(id)
}

function missingUpload(id: string): Problem {
  const message = `There is no upload ${id.slice(0, 100)} that this API key could see: it was deleted, or never made.`
  return new Problem('not_found', message, { cause: 'upload_not_found' })
}

/** Answers with the uploads of the API key. */
export async function listUploads(exchange: ServiceExchange, action: ListUploadsAction): Promise<Reply> {
  const { sim, key, dialect } = exchange
  const uploads = await sim.uploads()
  const query = action.decode(exchange)
  const page = pageOf(uploads.list(key, dialect.name), query, ({ id }) => id)
  if (page === undefined) throw unknownCursor(query.after)
  const items = page.items.map((upload) => ownUpload(exchange, uploads, upload))
  return action.encode({ ...page, items }, exchange)
}

/** An upload with its URL, as the client of a request reaches it. */
export function ownUpload({ sim, request }: ServiceExchange, uploads: Uploads, upload: Upload): OwnUpload {
  return { upload, url: uploads.urls.of(upload, sim.publicOrigin(request.origin)) }
}
