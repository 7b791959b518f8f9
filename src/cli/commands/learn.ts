import { rmSync } from 'node:fs'
import { check } from '../../record/check/check.js'
import { learn } from '../../record/learn/learn.js'
import { writeScenario } from '../../record/scenario/write-scenario.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import { requireNewFile, writeTextFile } from '../files/write-text-file.js'
import type { LazyCommand } from '../lazy-command.js'
import { toReport } from '../learn/check-report.js'
import { checkHistory, type HistoryArguments, historyOptions, sourceArgument } from '../learn/options.js'
import { readHistory } from '../learn/read-history.js'
import { toTable } from '../learn/table.js'
import { flush, print } from '../output.js'

interface LearnArguments extends HistoryArguments {
  out: string
  force: boolean
  check: string | undefined
  json: boolean
}

const STDOUT = '-'

/** Learns a scenario from the history of a service. */
export const learnCommand: LazyCommand<LearnArguments> = {
  builder: (yargs) =>
    yargs
      .positional('source', sourceArgument)
      .option('out', {
        type: 'string',
        requiresArg: true,
        default: STDOUT,
        defaultDescription: 'stdout',
        describe: 'Path of the scenario file to write, or - for stdout',
      })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite an existing file' })
      .options(historyOptions())
      .option('check', {
        type: 'string',
        requiresArg: true,
        describe:
          'Compare the tasks with this learned scenario. Exit status: 0 if they agree, 1 if they differ, 2 after an error',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print the result of --check as JSON' })
      .example('$0 learn history.jsonl --out scenario.yaml', 'Write a scenario that behaves like these tasks')
      .example(
        '$0 learn https://api.example.com/api/v1 --since 30d --out scenario.yaml',
        'Read the tasks of the last 30 days from a service, with the key in TASKSIM_LEARN_KEY',
      )
      .example('$0 learn newer.jsonl --check scenario.yaml', 'Find out whether the service has changed'),
  async handler({ out, force, check: scenario, json, ...history }) {
    if (scenario !== undefined && (out !== STDOUT || force))
      throw new CommandLineError('--check writes no scenario. Omit --out and --force.')
    if (json && scenario === undefined)
      throw new CommandLineError('--json prints the result of --check. Add --check, or omit --json.')
    checkHistory(history)
    if (scenario === undefined) await learnScenario(history, { out, force })
    else await checkScenario(history, { scenario, json })
    flush()
  },
}

/** Writes a scenario. */
async function learnScenario(
  history: HistoryArguments,
  { out, force }: Pick<LearnArguments, 'out' | 'force'>,
): Promise<void> {
  if (out !== STDOUT) requireNewFile(out, force)
  const partial = out === STDOUT ? undefined : `${out}.partial.jsonl`
  const { result: learned, name } = await readHistory(history, partial, learn)
  const scenario = writeScenario(learned, name)
  if (out === STDOUT) process.stderr.write(`${toTable(learned)}\n`)
  else print(toTable(learned))
  write(out, scenario)
  // With --history, the pages are in another file, which stays.
  if (partial !== undefined) rmSync(partial, { force: true })
}

/** Compares a scenario with a history. */
async function checkScenario(
  history: HistoryArguments,
  { scenario: file, json }: { readonly scenario: string; readonly json: boolean },
): Promise<void> {
  const { scenario } = await findScenario(file)
  const { result, name } = await readHistory(history, undefined, (tasks) => check(scenario, tasks))
  print(json ? JSON.stringify(result, null, 2) : toReport(result, file, name))
  if (result.changes.length > 0) process.exitCode = 1
}

function write(file: string, text: string): void {
  if (file === STDOUT) {
    print(text.trimEnd())
    return
  }
  writeTextFile(file, text)
  print(`Wrote ${file}. See what it does with: tasksim preview ${file}`)
}
