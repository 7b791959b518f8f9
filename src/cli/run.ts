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
      .fail((message, error) => {
        throw error ?? misuse(message)
      })
      .parseAsync()
  } catch (error) {
    process.stderr.write(`tasksim: ${explain(error)}\n`)
    process.exitCode = 1
  }
}
