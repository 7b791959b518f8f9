import type { Dialect } from '../../dialects/dialect.js'
import { UsageError } from '../../engine/errors.js'
import { type ComparedExchange, type Comparison, compare } from '../../record/compare/compare.js'
import { type Difference, MOST_DIFFERENCES } from '../../record/compare/differences.js'
import { recordedExchanges } from '../../record/compare/recorded-exchanges.js'
import { isHar, readHarEntry } from '../../record/exchanges/har.js'
import {
  JsonElements,
  readElement,
  type SkippedEntry,
  splitElements,
} from '../../record/history/json-elements.js'
import { counted } from '../../record/numbers.js'
import { isRecording, readRecording, recordingDialect } from '../../record/recording/read-recording.js'
import { defineCommand } from '../command.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { openSource, peek } from '../learn/open-source.js'
import { flush } from '../output.js'
import type { Report, ReportLine } from '../report/report.js'
import { reportOptions, writeReport } from '../report/write-report.js'

/** Compares a recording with a dialect. */
export const command = defineCommand({
  builder: (yargs) => {
    const { report, format } = reportOptions()
    return yargs
      .positional('recording', {
        type: 'string',
        demandOption: true,
        describe: 'Path of a recording of `tasksim record`, or of a HAR file, or - for stdin',
      })
      .option('dialect', {
        type: 'string',
        requiresArg: true,
        defaultDescription: 'that of the recording; tasks for a HAR file',
        describe: 'Dialect to compare with: its name, or the path of a dialect file',
      })
      .options({ report, format })
      .example('$0 compare replicate.jsonl', 'Find out whether the service still answers as the dialect does')
      .example('$0 compare requests.har --dialect service.yaml', 'Check your own dialect file')
      .epilogue('Exit status: 0 if the dialect would have answered the same, 1 if not, 2 after an error')
  },
  async handler({ recording, dialect, report, format }) {
    const compared = await compareFile(recording, dialect)
    await writeReport(reportOf(compared, recording), { report, format }, process.stdout)
    flush()
    if (compared.differences.length > 0) process.exitCode = 1
  },
})

function reportOf({ dialect, compared, differences }: ComparedFile, recording: string): Report {
  const exchanges = counted(compared, 'exchange')
  const equal: ReportLine = {
    ...{ id: 'equal', mark: 'ok', seen: [], why: '', remedy: '' },
    title: 'The dialect would have answered the same.',
  }
  const isEqual = differences.length === 0
  return {
    name: 'tasksim compare',
    subject: `${recording}: ${exchanges} beside the dialect ${dialect}`,
    note: isEqual ? undefined : NOT_COMPARED + (differences.length < MOST_DIFFERENCES ? '' : NOT_LISTED),
    lines: isEqual ? [equal] : differences.map(lineOf),
    failures: isEqual ? [] : [`${counted(differences.length, 'difference')} from the dialect ${dialect}.`],
  }
}

const NOT_COMPARED = 'Ids, times, URLs, inputs and outputs are not compared.'
const NOT_LISTED = ` Only the first ${MOST_DIFFERENCES} differences are listed.`

const IDS: Readonly<Record<Difference['kind'], string>> = {
  missing: 'missing-field',
  unknown: 'unknown-field',
  type: 'other-type',
  status: 'other-status',
  header: 'other-header',
  state: 'unknown-state',
  event: 'unknown-event',
  order: 'impossible-order',
  operation: 'unknown-operation',
}

/** The number of exchanges that a line names. */
const MOST_NAMED = 5

function lineOf({
  kind,
  operation,
  field,
  states,
  expected,
  got,
  count,
  occurrences,
}: Difference): ReportLine {
  const place = field === '' || kind === 'status' ? operation : `${operation}: ${field}`
  const numbers = [...new Set(occurrences.map(({ exchange }) => exchange))].slice(0, MOST_NAMED)
  const where = `${numbers.length === 1 ? 'exchange' : 'exchanges'} ${numbers.join(', ')}`
  const inStates = states.length === 0 ? '' : `; ${states.join(', ')}`
  return {
    id: IDS[kind],
    mark: 'error',
    title: place,
    seen: [`Expected ${expected}; got ${got} (${count}×: ${where}${inStates}).`],
    why: '',
    remedy: '',
    fails: true,
    details: { operation, field, states, expected, got, count, occurrences },
  }
}

/** The result of comparing a file with a dialect. */
interface ComparedFile extends Comparison {
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
