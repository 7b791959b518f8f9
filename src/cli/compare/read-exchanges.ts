import type { Dialect } from '../../dialects/dialect.js'
import { UsageError } from '../../engine/errors.js'
import { type ComparedExchange, type Comparison, compare } from '../../record/compare/compare.js'
import { recordedExchanges } from '../../record/compare/recorded-exchanges.js'
import { isHar, readHarEntry } from '../../record/exchanges/har.js'
import {
  JsonElements,
  readElement,
  type SkippedEntry,
  splitElements,
} from '../../record/history/json-elements.js'
import { isRecording, readRecording, recordingDialect } from '../../record/recording/read-recording.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { openSource, peek } from '../learn/open-source.js'

/** The result of comparing a file with a dialect. */
export interface ComparedFile extends Comparison {
  /** The name of the dialect. */
  readonly dialect: string
}

/**
 * Compares a recording or a HAR file with a dialect.
 * @param path the path of the file, or `-` for the standard input
 * @param given the name of the dialect, or the path of a dialect file; by default, that of the recording
 * @throws UsageError if the file is neither, or has no requests to the service; as {@link loadGivenDialect}
 */
export async function compareFile(path: string, given?: string): Promise<ComparedFile> {
  const { name, pieces } = openSource(path, () => {})
  const { start, all } = await peek(pieces)
  const { dialect, exchanges } = await open(name, start, all, given)
  const comparison = await compare(exchanges, dialect)
  if (comparison.compared === 0) throw withoutExchanges(name, dialect)
  return { ...comparison, dialect: dialect.name }
}

async function open(
  name: string,
  start: string,
  pieces: AsyncIterable<string>,
  given: string | undefined,
): Promise<{ readonly dialect: Dialect; readonly exchanges: AsyncIterable<ComparedExchange> }> {
  const onSkipped = ({ line, message }: SkippedEntry) =>
    void process.stderr.write(`tasksim: skipped ${name}:${line}: ${message}\n`)
  const loadGiven = async () => (await loadGivenDialect(given)).dialect
  if (isRecording(start)) {
    const { header, entries } = await readRecording(pieces, { name, onIncomplete: onSkipped })
    const dialect = given === undefined ? await recordingDialect(header, name) : await loadGiven()
    return { dialect, exchanges: recordedExchanges(entries) }
  }
  if (isHar(start)) return { dialect: await loadGiven(), exchanges: harExchanges(pieces, onSkipped) }
  throw new UsageError(
    `${name} is neither a recording nor a HAR file. Make a recording with \`tasksim record\`, or export the requests of your app as a HAR file.`,
  )
}

async function* harExchanges(
  pieces: AsyncIterable<string>,
  onSkipped: (entry: SkippedEntry) => void,
): AsyncGenerator<ComparedExchange, void, void> {
  for await (const element of splitElements(pieces, new JsonElements('entries', 2))) {
    const exchange = readElement(element, readHarEntry, onSkipped)
    if (exchange !== undefined) yield exchange
  }
}

function withoutExchanges(name: string, { name: dialect }: Dialect): UsageError {
  return new UsageError(
    `There are no requests to ${dialect} in ${name}. Set --dialect to the service that the requests are for.`,
  )
}
