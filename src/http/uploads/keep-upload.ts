import type { UploadAction } from '../../dialects/upload-action.js'
import type { Reply } from '../../exchange/exchange.js'
import type { ServiceExchange } from '../operation.js'
import { ownSettings } from './own-settings.js'
import { ownUpload } from './own-uploads.js'
import { readUpload } from './read-upload.js'
import { resumableUpload } from './resumable-upload.js'
import { UNKNOWN_TYPE, withinBudget } from './within-budget.js'

/** Keeps the file of a request, or announces a file that the client sends to the URL of the upload. */
export async function keepUpload(exchange: ServiceExchange, action: UploadAction): Promise<Reply> {
  if (action.from === 'resumable') return resumableUpload(exchange, action)
  const { sim, key, dialect } = exchange
  const { file, fields } = await readUpload(exchange, action)
  const { name, contentType, ownId, processing, ...order } = action.decode(fields, exchange)
  const announced = {
    ...order,
    owner: key,
    dialect: dialect.name,
    name: name ?? file?.name ?? 'file',
    contentType: contentType ?? file?.contentType ?? UNKNOWN_TYPE,
  }
  const uploads = await sim.uploads()
  const settings = ownSettings(uploads, { ownId, processing }, announced)
  const upload = await withinBudget(sim, () =>
    file === undefined
      ? uploads.announce({ ...announced, ...settings })
      : uploads.add({ ...announced, ...settings, bytes: file.bytes }),
  )
  return action.encode(ownUpload(exchange, uploads, upload), exchange)
}
