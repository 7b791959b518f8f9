import type { Options } from 'yargs'
import { BUILT_IN_DIALECTS } from '../../dialects/built-in.js'
import { SHIPPED_NAMES, shippedScenario } from '../../scenario/shipped.js'
import { COMMANDS } from '../commands.js'
import { type CalledCommand, COMMAND_NAMES, findCalledCommand, optionIn } from './called-command.js'

/** A word that completes a command line. */
export interface Candidate {
  readonly word: string
  /** Empty if the word has no description. */
  readonly description: string
}

/**
 * Suggests words for the last position of a command line. Suggests none if the position takes a file or any value, or
 * belongs to the command of `exec`. The shell keeps the suggestions that start with the typed text.
 * @param words the words after `tasksim`; the last word may be empty
 */
export async function candidates(words: readonly string[]): Promise<Candidate[]> {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? '']
  if (before.includes('--')) return []
  const called = await findCalledCommand(before)
  const last = before.at(-1) ?? ''
  const [nameBefore = '', optionBefore] = optionIn(last, called.options) ?? []
  if (optionBefore !== undefined && takesValue(optionBefore) && !last.includes('='))
    return TAKES_DIALECT.includes(nameBefore) ? dialectCandidates() : choiceCandidates(optionBefore)
  if (current.startsWith('-')) return optionCandidates(before, called)
  return positionalCandidates(before, called)
}

function takesValue({ type, choices }: Options): boolean {
  return type !== 'boolean' || choices !== undefined
}

function choiceCandidates({ choices = [] }: Options): Candidate[] {
  return choices.map((choice) => ({ word: String(choice), description: '' }))
}

/** Suggests the options that are missing or may be repeated. */
function optionCandidates(before: readonly string[], { options }: CalledCommand): Candidate[] {
  const given = before.map((word) => optionIn(word, options)?.[0])
  return [...options]
    .filter(([name, { array }]) => array === true || !given.includes(name))
    .map(([name, { describe = '' }]) => ({ word: `--${name}`, description: describe }))
}

function positionalCandidates(before: readonly string[], called: CalledCommand): Candidate[] {
  const values = valuesIn(before, called)
  if (values.length === 0 && called.name === '') return [...commandCandidates(), ...scenarioCandidates()]
  const [name, options = {}] = called.positionals[values.length] ?? called.positionals.at(-1) ?? []
  const isFull = values.length >= called.positionals.length && !options.array
  if (name === undefined || isFull) return []
  return takesScenario(called.name, name) ? scenarioCandidates() : choiceCandidates(options)
}

function takesScenario(command: string, positional: string): boolean {
  return positional === 'scenario' || (command === 'validate' && positional === 'files')
}

/** Returns the positional arguments: the words without the command, the options and their values. */
function valuesIn(before: readonly string[], { name, options }: CalledCommand): string[] {
  return before.slice(name === '' ? 0 : 1).filter((word, index, all) => {
    const previous = optionIn(all[index - 1] ?? '', options)?.[1]
    const isValue = previous !== undefined && takesValue(previous) && !all[index - 1]?.includes('=')
    return !word.startsWith('-') && !isValue
  })
}

function commandCandidates(): Candidate[] {
  return COMMAND_NAMES.map((word) => {
    const { describe } =
      COMMANDS.find(({ command }) => String(command).split(' ')[0] === word) ?? COMMANDS[0] ?? {}
    return { word, description: String(describe) }
  })
}

/** The options that take the name of a dialect. */
const TAKES_DIALECT = ['dialect', 'root-dialect']

function dialectCandidates(): Candidate[] {
  return [...BUILT_IN_DIALECTS.values()].map(({ name, title }) => ({ word: name, description: title }))
}

function scenarioCandidates(): Candidate[] {
  return SHIPPED_NAMES.map((word) => ({ word, description: shippedScenario(word).description }))
}

/**
 * Prints one candidate per line, for the script that `tasksim completion` prints.
 * @param words the words of the command line up to the cursor, starting with `tasksim`
 */
export async function printCompletions(words: readonly string[]): Promise<void> {
  const found = await candidates(words.slice(1))
  const format = formatFor(process.env)
  process.stdout.write(found.map((candidate) => `${format(candidate)}\n`).join(''))
}

/** The format of a candidate for the shell. yargs reads the same variables to choose the script. */
function formatFor({ SHELL = '', ZSH_NAME = '' }: NodeJS.ProcessEnv): (candidate: Candidate) => string {
  if (SHELL.includes('zsh') || ZSH_NAME.includes('zsh')) return formatForZsh
  return SHELL.includes('fish') ? formatForFish : ({ word }) => word
}

/** The word and its description, separated by a colon, for `_describe`. */
function formatForZsh({ word, description }: Candidate): string {
  return description === '' ? word.replaceAll(':', '\\:') : `${word.replaceAll(':', '\\:')}:${description}`
}

/** The word and its description, separated by a tab, for `complete`. */
function formatForFish({ word, description }: Candidate): string {
  return description === '' ? word : `${word}\t${description}`
}
