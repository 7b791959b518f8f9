import { existsSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'
import { writeScenario } from '../../record/scenario/write-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { type HistoryArguments, historyOptions, sourceArgument } from '../learn/options.js'
import { readHistory } from '../learn/read-history.js'
import { toTable } from '../learn/table.js'
import { flush, print } from '../output.js'

interface LearnArguments extends HistoryArguments {
  out: string
  force: boolean
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
      .options(historyOptions)
      .example('$0 learn history.jsonl --out scenario.yaml', 'Write a scenario that behaves like these tasks')
      .example(
        '$0 learn https://api.example.com/api/v1 --since 30d --out scenario.yaml',
        'Read the tasks of 30 days from a service, with the key in TASKSIM_LEARN_KEY',
      ),
  async handler({ out, force, ...history }) {
    if (out !== STDOUT && existsSync(out) && !force)
      throw new UsageError(`${out} already exists. Give another name, or pass --force to overwrite it.`)
    const partial = out === STDOUT ? undefined : `${out}.partial.jsonl`
    const { learned, name } = await readHistory(history, partial)
    const scenario = writeScenario(learned, name)
    if (out === STDOUT) process.stderr.write(`${toTable(learned)}\n`)
    else print(toTable(learned))
    write(out, scenario)
    flush()
  },
}

function write(file: string, text: string): void {
  if (file === STDOUT) {
    print(text.trimEnd())
    return
  }
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${(error as Error).message}`)
  }
  print(`Wrote ${file}. See what it does with: tasksim preview ${file}`)
}
