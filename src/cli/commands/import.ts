import type { InferredOptionTypes } from 'yargs'
import { UsageError } from '../../engine/errors.js'
import { type LedLedger, replaceRows } from '../../ledger/lead-ledger.js'
import { continuedNow, seedOf } from '../../ledger/parts/meta.js'
import { checkState, readRows } from '../../ledger/replace-state.js'
import { readStateFile, type StateRow } from '../../ledger/state-file.js'
import { buildSimulator } from '../../library/build-simulator.js'
import { defineCommand } from '../command.js'
import { readGivenDialects } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import { readRegularFile } from '../files/read-file.js'
import { checkSource, type StateArguments, stateOptions, withSource } from '../ledger/state-source.js'
import { changedOption, DEFAULT_SCENARIO, repeatable } from '../options/options.js'
import { flush, print } from '../output.js'

/** A longer text does not fit into a string of Node. */
const MAX_BYTES = 2 ** 29 - 2 ** 16

/** The options for a ledger. A running server has a scenario and dialects, and its state is always replaced. */
const LEDGER_ONLY = {
  force: {
    type: 'boolean',
    default: false,
    describe: 'Replace the state in the ledger; only with --ledger',
  },
  scenario: {
    type: 'string',
    requiresArg: true,
    default: DEFAULT_SCENARIO,
    describe: 'Recording that the server replayed, which the file does not contain; only with --ledger',
  },
  dialect: {
    ...repeatable,
    default: [] as string[],
    describe: 'Path of a dialect file of your own that the server used; only with --ledger',
  },
} as const

/** Replaces the state of a server with a file. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .usage(
        '$0 import FILE [options]\n\nReplaces the whole state of a server with a file that `tasksim export` has written. An invalid file changes nothing. The clock continues at the time of the export.',
      )
      .positional('file', { type: 'string', demandOption: true, describe: 'Path of the file' })
      .options(stateOptions())
      .options(LEDGER_ONLY)
      .example('$0 import state.jsonl --ledger ./state.db', 'Import into the ledger of a stopped server')
      .example('$0 import bug.jsonl --server http://127.0.0.1:4010', 'Import into a running server')
      .check(check),
  async handler({ file, force, scenario, dialect, ...source }) {
    const text = read(file)
    await withSource(source, async (found) => {
      if ('control' in found) await found.control.importState(text)
      else await importRows(found.led, text, { force, scenario, dialect })
    })
    print(`Loaded ${file}.`)
    flush()
  },
})

type LedgerOnly = InferredOptionTypes<typeof LEDGER_ONLY>

function check(args: StateArguments & LedgerOnly): true {
  const changed = args.server === undefined ? undefined : changedOption(args, LEDGER_ONLY)
  if (changed === undefined) return checkSource(args)
  throw new CommandLineError(
    `--${changed} can be used only with a ledger. Omit it with --server: a running server needs only the file.`,
  )
}

async function importRows(led: LedLedger, text: string, { force, ...given }: LedgerOnly): Promise<void> {
  if (!led.saved.isEmpty && !force)
    throw new UsageError(
      `The ledger ${led.shown} already has a state. Give another ledger, or pass --force to replace the state.`,
    )
  const rows = readStateFile(text)
  await checkRows(rows, given)
  await replaceRows(led, rows.map(continuedNow))
}

/** @throws UsageError with the first line that no simulator could restore */
async function checkRows(
  rows: readonly StateRow[],
  { scenario, dialect }: Omit<LedgerOnly, 'force'>,
): Promise<void> {
  const [found, dialects, saved] = [
    await findScenario(scenario),
    await readGivenDialects(dialect),
    await readRows(rows),
  ]
  const seed = seedOf(saved)
  const sim = buildSimulator(found.scenario, {
    dialects: dialects.tables,
    ...(seed !== undefined && { seed }),
  })
  try {
    await checkState(sim, rows, saved)
  } finally {
    sim.close()
  }
}

function read(path: string): string {
  try {
    return readRegularFile(path, MAX_BYTES)
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`)
  }
}
