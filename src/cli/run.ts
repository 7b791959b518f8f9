import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { COMMANDS } from './commands.js'
import { CommandLineError, errorText } from './errors.js'
import { ALL_SERVICES } from './options/intercept-options.js'
import { type CalledCommand, findCalledCommand } from './parsing/called-command.js'
import {
  checkCommand,
  checkValues,
  checkWords,
  restoreDashes,
  restoreTexts,
  rewordMistake,
} from './parsing/mistakes.js'
import { VERSION } from './version.js'

/** Runs a command line, and resolves when its command ends. */
export async function run(): Promise<void> {
  const words = withOptionalValues(rewriteHelp(hideBin(process.argv)))
  let command = ''
  try {
    if (words[0] === '--get-yargs-completions') {
      const { printCompletions } = await import('./parsing/completions.js')
      return await printCompletions(words.slice(1))
    }
    checkCommand(words)
    const called = await findCalledCommand(words)
    command = called.name
    checkWords(words, called)
    await parse(words, called)
  } catch (error) {
    process.stderr.write(
      `tasksim: ${errorText(error)}${error instanceof CommandLineError ? `\n${seeHelp(command)}` : ''}\n`,
    )
    process.exitCode = errorStatusOf(command)
  }
}

/** The commands that exit with 1 for what they have found, so that their errors have another status. */
const FINDING_COMMANDS: readonly string[] = ['learn', 'explore', 'compare']

/** The exit status after an error. */
function errorStatusOf(command: string): number {
  return FINDING_COMMANDS.includes(command) ? 2 : 1
}

/** Rewrites `tasksim help exec` as `tasksim exec --help`, which yargs supports. */
function rewriteHelp(words: string[]): string[] {
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words
}

function seeHelp(command: string): string {
  return `See ${['tasksim', command, '--help'].filter(Boolean).join(' ')}.`
}

async function parse(words: string[], called: CalledCommand): Promise<void> {
  const mistake = (message: string) => new CommandLineError(rewordMistake(message, words, called))
  try {
    await yargs(words)
      .scriptName('tasksim')
      // `rewordMistake` matches the English messages.
      .locale('en')
      .usage('$0 [scenario]\n\nA local stand-in for asynchronous generation-task APIs.')
      .command([...COMMANDS])
      .strict()
      .version(VERSION)
      .help()
      .alias({ h: 'help', v: 'version' })
      .wrap(Math.min(110, process.stdout.columns ?? 110))
      .middleware((args) => {
        restoreDashes(args, words, called)
        restoreTexts(args, words, called)
        checkValues(args, called)
      }, true)
      .fail((message, error) => {
        throw error ?? mistake(message)
      })
      .parseAsync()
  } catch (error) {
    throw isFromYargs(error) ? mistake(error.message) : error
  }
}

/** Whether yargs threw the error: yargs does not report every mistake to `fail`. */
function isFromYargs(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}

/** The options whose value may be left out, and the value that they then have. */
const OPTIONAL_VALUES: ReadonlyMap<string, string> = new Map([['--intercept', ALL_SERVICES]])

/**
 * Adds the values that were left out. yargs would take the next word for the value; here, an option has the value that
 * follows its `=`, and the next word is the scenario.
 */
export function withOptionalValues(words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return words.map((word, index) => {
    const value = index < end ? OPTIONAL_VALUES.get(word) : undefined
    return value === undefined ? word : `${word}=${value}`
  })
}
