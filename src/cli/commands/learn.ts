import { rmSync } from 'node:fs'
import { type Checked, check } from '../../record/check/check.js'
import type { Change } from '../../record/check/difference.js'
import { type Learned, type LearnedBehavior, learn } from '../../record/learn/learn.js'
import { counted, countText } from '../../record/numbers.js'
import { limitSummary, percentText, priceSummary, spreadSummary } from '../../record/scenario/comments.js'
import { writeScenario } from '../../record/scenario/write-scenario.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import { requireNewFile, writeTextFile } from '../files/write-text-file.js'
import type { LazyCommand } from '../lazy-command.js'
import { checkHistory, type HistoryArguments, historyOptions, sourceArgument } from '../learn/options.js'
import { readHistory } from '../learn/read-history.js'
import { colors, flush, print } from '../output.js'

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

/** The result of a check as text: a line for each change, with the figures before and after. */
function toReport({ tasks, changes, gaps }: Checked, scenario: string, source: string): string {
  const history = `${counted(tasks, 'task')} in ${source}`
  const result =
    changes.length === 0
      ? colors.green(`${scenario} agrees with ${history}.`)
      : colors.red(`${scenario} differs from ${history}:`)
  return [
    result,
    ...changes.map(lineOf),
    ...gaps.map((gap) => colors.yellow(`Not compared: ${gap}`)),
    ...(changes.length === 0 ? [] : ['Learn the scenario again, or find out what has changed.']),
  ].join('\n')
}

function lineOf({ name, what, before, after }: Change): string {
  return `  ${name}: ${what}: was ${before}; is ${after}`
}

/** A table of what was learned: a row for each model, and below it what was not learned and why. */
function toTable({ models, kinds, limits, gaps }: Learned): string {
  const rows = [
    ...models.map((model) => cellsOf(model.name, model)),
    ...kinds.map((kind) => cellsOf(`all ${kind.name} models`, kind)),
  ]
  const header = ['', 'tasks', 'delay', 'failed', 'price']
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    colors.bold(line(header)),
    ...rows.map(line),
    ...limits.map(limitSummary),
    ...gaps.map((gap) => colors.yellow(`not learned: ${gap}`)),
    ...gapsOf(models),
  ].join('\n')
}

function cellsOf(name: string, { counts, delay, failures, price }: LearnedBehavior): string[] {
  return [
    name,
    countText(counts.all),
    delay === undefined ? '-' : spreadSummary(delay.spread),
    failures === undefined ? '-' : percentText(failures.rate),
    price === undefined ? '-' : priceSummary(price),
  ]
}

function gapsOf(models: readonly LearnedBehavior[]): string[] {
  return models.flatMap(({ name, gaps }) => gaps.map((gap) => colors.yellow(`${name}: not learned: ${gap}`)))
}
