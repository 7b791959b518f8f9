import type { UploadTable } from '../../dialects/table/model/rare-tables.js'
import type { JsonObject } from '../../engine/json.js'
import { OverBudgetError } from '../../engine/memory/budget.js'
import { overBudget, Problem } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import { isFormType, readJsonObject } from '../json-body.js'
import type { ServiceExchange } from '../operation.js'
import { checkEncoding, LARGEST_BODY, readBytes } from '../read-bytes.js'
import { type FormPart, FormReader, formWithFile, type SentFile } from './read-form.js'
import { readPieces } from './read-pieces.js'

const LIMIT = { bytes: LARGEST_BODY, problem: 'The upload is larger than 50 MB. Upload a smaller file.' }

/** Rejects a file that is too large. */
export function tooLarge(): Problem {
  return new Problem('payload_too_large', LIMIT.problem)
}

/** A request with a file. */
interface SentUpload {
  /** Undefined if the client sends the file later. */
  readonly file: SentFile | undefined
  /** The other fields of the form, or the JSON of the body. */
  readonly fields: JsonObject
}

/**
 * Reads the request of an upload.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readUpload(
  exchange: ServiceExchange,
  { from, file: field = 'file' }: Pick<UploadTable, 'from' | 'file'>,
): Promise<SentUpload> {
  if (from === 'url') return { file: undefined, fields: await readJsonObject(exchange) }
  if (from === 'form') return readSentForm(exchange, field)
  return { file: await readSentBody(exchange), fields: {} }
}

/**
 * Reads a file that is the body of a request.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readSentBody(exchange: ServiceExchange): Promise<SentFile> {
  const { request } = exchange
  checkEncoding(request)
  const bytes = await ownBytes(exchange)
  if (bytes.length === 0)
    throw new Problem('invalid_request', 'The body is empty. Send the file as the body.')
  return { bytes, name: undefined, contentType: request.header('content-type') }
}

/**
 * Reads a form with a file.
 * @param field the field of the file
 * @throws Problem 400, 413, 415 or 503
 */
export async function readSentForm(
  exchange: ServiceExchange,
  field: string,
): Promise<SentUpload & { readonly file: SentFile }> {
  return formWithFile(await readSentParts(exchange, `, with the file in the field \`${field}\``), field)
}

/**
 * Reads the parts of a form.
 * @param detail what else the form needs, for the message about another type
 * @throws Problem 400, 413, 415 or 503
 */
export async function readSentParts(exchange: ServiceExchange, detail = ''): Promise<readonly FormPart[]> {
  const { request } = exchange
  checkEncoding(request)
  const type = request.header('content-type') ?? ''
  if (!isFormType(type)) {
    const given =
      type === '' ? 'The request has no Content-Type' : `The Content-Type ${type} is not supported`
    throw new Problem(
      'unsupported_media_type',
      `${given}. Send a form with \`Content-Type: multipart/form-data\`${detail}.`,
    )
  }
  const form = new FormReader(type)
  await readPieces(exchange, LIMIT, (piece) => form.write(piece))
  return form.end()
}

/**
 * Reads the bytes of a request, whatever its type.
 * @throws Problem 413 or 503
 */
export async function ownBytes(exchange: ServiceExchange): Promise<Uint8Array<ArrayBuffer>> {
  return (await readBytes(exchange, LIMIT)) as Uint8Array<ArrayBuffer>
}

/** The type of a file whose type is unknown. */
export const UNKNOWN_TYPE = 'application/octet-stream'

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
