import type { Options } from 'yargs'
import { SHIPPED_NAMES, shippedScenario } from '../scenario/language/shipped.js'
import { COMMANDS } from './commands.js'
import { type Called, COMMAND_NAMES, calledCommand, optionIn } from './parsing/called-command.js'

/** A word that completes a command line. */
export interface Candidate {
  readonly word: string
  /** Empty if there is none. */
  readonly description: string
}

/**
 * The words that may replace the last one; none if a file, a free value or another command is expected. The shell
 * filters them by the beginning of the last word.
 * @param words of the command line after `tasksim`; the last one may be empty
 */
export async function candidates(words: readonly string[]): Promise<Candidate[]> {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? '']
  if (before.includes('--')) return []
  const called = await calledCommand(before)
  const awaiting = optionIn(before.at(-1) ?? '', called.options)?.[1]
  if (awaiting !== undefined && takesValue(awaiting)) return ofChoices(awaiting)
  if (current.startsWith('-')) return ofOptions(before, called)
  return ofPositionals(before, called)
}

function takesValue({ type, choices }: Options): boolean {
  return type !== 'boolean' || choices !== undefined
}

function ofChoices({ choices = [] }: Options): Candidate[] {
  return choices.map((choice) => ({ word: String(choice), description: '' }))
}

/** The options that are not given yet or may be repeated. */
function ofOptions(before: readonly string[], { options }: Called): Candidate[] {
  const given = before.map((word) => optionIn(word, options)?.[0])
  return [...options]
    .filter(([name, { array }]) => array === true || !given.includes(name))
    .map(([name, { describe = '' }]) => ({ word: `--${name}`, description: describe }))
}

function ofPositionals(before: readonly string[], called: Called): Candidate[] {
  const values = valuesIn(before, called)
  if (values.length === 0 && called.name === '') return [...ofCommands(), ...ofScenarios()]
  const [name, options = {}] = called.positionals[values.length] ?? called.positionals.at(-1) ?? []
  const isFull = values.length >= called.positionals.length && !options.array
  if (name === undefined || isFull) return []
  return takesScenario(called.name, name) ? ofScenarios() : ofChoices(options)
}

function takesScenario(command: string, positional: string): boolean {
  return positional === 'scenario' || (command === 'validate' && positional === 'files')
}

/** The positional arguments among the words, without the command, the options and their values. */
function valuesIn(before: readonly string[], { name, options }: Called): string[] {
  return before.slice(name === '' ? 0 : 1).filter((word, index, all) => {
    const previous = optionIn(all[index - 1] ?? '', options)?.[1]
    const isValue = previous !== undefined && takesValue(previous) && !all[index - 1]?.includes('=')
    return !word.startsWith('-') && !isValue
  })
}

function ofCommands(): Candidate[] {
  return COMMAND_NAMES.map((word) => {
    const { describe } =
      COMMANDS.find(({ command }) => String(command).split(' ')[0] === word) ?? COMMANDS[0] ?? {}
    return { word, description: String(describe) }
  })
}

function ofScenarios(): Candidate[] {
  return SHIPPED_NAMES.map((word) => ({ word, description: shippedScenario(word).description }))
}

/**
 * Prints one candidate per line, for the script that `tasksim completion` prints.
 * @param words of the command line up to the cursor, `tasksim` first
 */
export async function printCompletions(words: readonly string[]): Promise<void> {
  const found = await candidates(words.slice(1))
  const write = isZsh(process.env) ? forZsh : ({ word }: Candidate) => word
  process.stdout.write(found.map((candidate) => `${write(candidate)}\n`).join(''))
}

/** Whether the script is for zsh. yargs chooses the script by the same variables. */
function isZsh({ SHELL = '', ZSH_NAME = '' }: NodeJS.ProcessEnv): boolean {
  return SHELL.includes('zsh') || ZSH_NAME.includes('zsh')
}

/** The word and its description, separated by a colon, for `_describe`. */
function forZsh({ word, description }: Candidate): string {
  return description === '' ? word.replaceAll(':', '\\:') : `${word.replaceAll(':', '\\:')}:${description}`
}
