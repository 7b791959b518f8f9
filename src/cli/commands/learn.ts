import { existsSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'
import { readTasks } from '../../record/history/read-tasks.js'
import { learn } from '../../record/learn/learn.js'
import type { Learned } from '../../record/learn/learned.js'
import { writeScenario } from '../../record/scenario/write-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { openSource } from '../learn/open-source.js'
import { SkippedEntries } from '../learn/skipped-entries.js'
import { toTable } from '../learn/table.js'
import { flush, print } from '../output.js'
import { showProgress } from '../progress.js'

interface LearnArguments {
  source: string
  out: string
  force: boolean
  strict: boolean
}

const STDOUT = '-'

/** Learns a scenario from the history of a service. */
export const learnCommand: LazyCommand<LearnArguments> = {
  builder: (yargs) =>
    yargs
      .positional('source', {
        type: 'string',
        demandOption: true,
        describe: 'Path of a file with tasks (JSON Lines, a JSON list or pages of a list), or - for stdin',
      })
      .option('out', {
        type: 'string',
        requiresArg: true,
        default: STDOUT,
        defaultDescription: 'stdout',
        describe: 'Path of the scenario file to write, or - for stdout',
      })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite an existing file' })
      .option('strict', {
        type: 'boolean',
        default: false,
        describe: 'Fail at the first invalid entry, instead of skipping it',
      })
      .example(
        '$0 learn history.jsonl --out scenario.yaml',
        'Write a scenario that behaves like these tasks',
      ),
  async handler({ source, out, force, strict }) {
    if (out !== STDOUT && existsSync(out) && !force)
      throw new UsageError(`${out} already exists. Give another name, or pass --force to overwrite it.`)
    const { learned, name } = await learnFrom(source, strict)
    const scenario = writeScenario(learned, name)
    if (out === STDOUT) process.stderr.write(`${toTable(learned)}\n`)
    else print(toTable(learned))
    write(out, scenario)
    flush()
  },
}

async function learnFrom(path: string, isStrict: boolean): Promise<{ learned: Learned; name: string }> {
  let show: ReturnType<typeof showProgress> | undefined
  const source = openSource(path, ({ size }, bytes) => {
    show ??= showProgress({ command: 'learn', total: size, unit: 'bytes read' })
    show(bytes)
  })
  const skipped = new SkippedEntries(source.name, isStrict)
  const learned = await learn(readTasks(source.pieces, (entry) => skipped.add(entry)))
  skipped.end()
  if (learned.tasks > 0) return { learned, name: source.name }
  throw new UsageError(
    `There are no tasks in ${source.name}. It should have tasks as GET /api/v1/tasks returns them: as JSON Lines, as a JSON list, or as pages of the list.`,
  )
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
