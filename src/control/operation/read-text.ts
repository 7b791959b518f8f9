import { Problem } from '../../http/exchange/problem.js'
import type { Exchange } from '../../http/operation.js'
import { checkEncoding, LARGEST_BODY, readBytes } from '../../http/read-bytes.js'

const LIMIT = {
  bytes: LARGEST_BODY,
  problem: `The body is larger than ${LARGEST_BODY / 1024 / 1024} MB. Load it into a ledger instead: tasksim import FILE --ledger ./state.db`,
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body that is a text, not JSON.
 * @throws Problem 400, 413 or 415
 */
export async function readText(exchange: Exchange): Promise<string> {
  checkEncoding(exchange.request)
  const bytes = await readBytes(exchange, LIMIT)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('invalid_request', 'The body is not valid UTF-8.')
  }
}
