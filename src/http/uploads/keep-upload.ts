import type { UploadAction } from '../../dialects/action.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import type { Simulator } from '../../simulator.js'
import type { Reply } from '../exchange/exchange.js'
import { overBudget } from '../exchange/problem.js'
import type { ServiceExchange } from '../operation.js'
import { ownUpload } from './own-uploads.js'
import { readUpload } from './read-upload.js'

const UNKNOWN_TYPE = 'application/octet-stream'

/** Keeps the file of a request, or announces a file that the client sends to the URL of the upload. */
export async function keepUpload(exchange: ServiceExchange, action: UploadAction): Promise<Reply> {
  const { sim, key, dialect } = exchange
  const { file, fields } = await readUpload(exchange, action)
  const { name, contentType, ...order } = action.decode(fields, exchange)
  const announced = {
    ...order,
    owner: key,
    dialect: dialect.name,
    name: name ?? file?.name ?? 'file',
    contentType: contentType ?? file?.contentType ?? UNKNOWN_TYPE,
  }
  const uploads = await sim.uploads()
  const upload = await withinBudget(sim, () =>
    file === undefined ? uploads.announce(announced) : uploads.add({ ...announced, bytes: file.bytes }),
  )
  return action.encode(ownUpload(exchange, uploads, upload), exchange)
}

/**
 * Keeps an upload.
 * @throws Problem 503 if it exceeds the memory budget
 */
export async function withinBudget<Kept>(
  { memory }: Simulator,
  keep: () => Kept | Promise<Kept>,
): Promise<Kept> {
  try {
    return await keep()
  } catch (error) {
    throw error instanceof OverBudgetError ? overBudget(memory) : error
  }
}
