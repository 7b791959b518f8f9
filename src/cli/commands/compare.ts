import { type Difference, MOST_DIFFERENCES } from '../../record/compare/differences.js'
import { counted } from '../../record/numbers.js'
import { defineCommand } from '../command.js'
import { type ComparedFile, compareFile } from '../compare/read-exchanges.js'
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
