import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { PassedResponse } from '../../../record/recording/passed-exchange.js'
import { CapturedBody, CapturedPieces } from './captured-body.js'
import { endToEnd, isJson, isStream, joined, without } from './message.js'
import { replaceInHeader, urlReplacement } from './replace-urls.js'
import { decoderOf } from './send.js'
import type { Replacements } from './upstream.js'

/** What changes in an answer on its way to the client. */
interface AnswerChanges {
  /** Changes that the recording has, too. */
  readonly recorded: Replacements
  /** Further changes of headers. */
  readonly headers: Replacements
  /** Further changes of the body. */
  readonly body: Replacements
}

/**
 * Passes an answer on as it arrives.
 * @param begin the reading of the stopwatch when the request arrived
 * @returns the answer; undefined if it has not passed through to its end, unless it is a stream
 */
export async function passAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  changes: AnswerChanges,
  begin: number,
): Promise<PassedResponse | undefined> {
  const { statusCode: status = 0, statusMessage, headers } = answer
  const { 'content-type': type, 'content-encoding': encoding } = headers
  const decoder = decoderOf(encoding)
  const isText = (isJson(type) || isStream(type)) && (encoding === undefined || decoder !== undefined)
  const kept = withoutEncoding(endToEnd(answer), decoder !== undefined)
  const recorded = mapValues(kept, changes.recorded)
  const sent = mapValues(recorded, changes.headers)
  const captured = new CapturedBody()
  const pieces = isStream(type) ? new CapturedPieces(begin) : undefined
  const replacing = (list: Replacements) => (isText && list.length > 0 ? [urlReplacement(list)] : [])
  const steps = [
    ...(decoder === undefined ? [] : [decoder]),
    ...replacing(changes.recorded),
    captured.tee(),
    ...(pieces === undefined ? [] : [pieces.tee()]),
    ...replacing(changes.body),
  ]
  response.sendDate = false
  response.writeHead(status, statusMessage, isText ? without(sent, 'content-length') : sent)
  response.flushHeaders()
  const isWhole = await pipeline([answer, ...steps, response]).then(
    () => true,
    () => false,
  )
  if (!isWhole && pieces === undefined) return undefined
  return { status, headers: joined(recorded), ...captured.result(), pieces: pieces?.pieces }
}

function withoutEncoding(headers: OutgoingHttpHeaders, isDecoded: boolean): OutgoingHttpHeaders {
  return isDecoded ? without(headers, 'content-encoding', 'content-length') : headers
}

function mapValues(headers: OutgoingHttpHeaders, replacements: Replacements): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? replaceInHeader(value, replacements) : value,
    ]),
  )
}
