import { existsSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'
import type { LedLedger } from '../../ledger/lead-ledger.js'
import type { Row } from '../../ledger/ledger.js'
import { isPath } from '../../ledger/open-ledger.js'
import { stateLines } from '../../ledger/state-file.js'
import { defineCommand } from '../command.js'
import { requireNewFile, writeTextFile } from '../files/write-text-file.js'
import { checkSource, type StateArguments, stateOptions, withSource } from '../ledger/state-source.js'
import { outOptions, STDOUT } from '../options/options.js'

/** Writes the whole state of a server to a file. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .usage(
        '$0 export [options]\n\nWrites the whole state of a server to a file, from which another server can continue. The file contains API keys and secrets.',
      )
      .options(stateOptions())
      .options(outOptions('file'))
      .example(
        '$0 export --server http://127.0.0.1:4010 --out bug.jsonl',
        'Save the state of a running server',
      )
      .example('$0 export --ledger ./state.db --out state.jsonl', 'Save the state of a stopped server')
      .check(checkSource),
  async handler({ out, force, ...source }) {
    if (out !== STDOUT) requireNewFile(out, force)
    requireLedger(source)
    const text = await withSource(source, (found) =>
      'control' in found ? found.control.exportState() : textOf(found.led),
    )
    if (out === STDOUT) process.stdout.write(text)
    else writeTextFile(out, text, true)
  },
})

/** @throws UsageError if the file of a ledger does not exist, because opening it would create it */
function requireLedger({ ledger, server }: StateArguments): void {
  if (server === undefined && ledger !== undefined && isPath(ledger) && !existsSync(ledger))
    throw new UsageError(
      `The ledger ${ledger} does not exist. Give the path that its server had in --ledger.`,
    )
}

async function textOf({ ledger, shown }: LedLedger): Promise<string> {
  const rows: Row[] = []
  for await (const batch of ledger.load()) for (const row of batch) rows.push(row)
  if (rows.length === 0)
    throw new UsageError(`The ledger ${shown} is empty. Give the ledger of a server that has run.`)
  return [...stateLines(rows)].join('')
}
