import { readFileSync } from 'node:fs'
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { COMMANDS } from './commands.js'
import { explain, misuse } from './explain.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Carries out the command that was called. It does not end before the command does. */
export async function run(): Promise<void> {
  try {
    await yargs(hideBin(process.argv))
      .scriptName('tasksim')
      .usage('$0 [scenario]\n\nA local stand-in for an asynchronous generation API.')
      .command([...COMMANDS])
      .strict()
      .version(version)
      .help()
      .alias({ h: 'help' })
      .wrap(Math.min(110, process.stdout.columns ?? 110))
      .middleware(refuseNothing, true)
      .fail((message, error) => {
        throw error ?? misuse(message)
      })
      .parseAsync()
  } catch (error) {
    process.stderr.write(`tasksim: ${explain(isOfYargs(error) ? misuse(error.message) : error)}\n`)
    process.exitCode = 1
  }
}

/** What a script passes on that is not set must not be taken for a value: an empty token would let everybody in. */
function refuseNothing(args: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(args)) {
    const isEmpty = Array.isArray(value) ? value.includes('') : value === ''
    if (isEmpty && name !== '_' && name !== '--')
      throw misuse(`--${name} has no value: give one, or leave it out.`)
  }
}

/** What yargs has against the arguments, which it does not always tell by `fail`. */
function isOfYargs(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}
