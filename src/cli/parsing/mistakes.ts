import { nearest } from '../../engine/suggest.js'
import { isScenarioPath } from '../../scenario/scenario-path.js'
import { SHIPPED_NAMES } from '../../scenario/shipped.js'
import { CommandLineError } from '../errors.js'
import { type CalledCommand, COMMAND_NAMES, camelCase, dashed, optionIn } from './called-command.js'

/** @throws UsageError if the first word is neither an option, a command, a shipped scenario nor a path */
export function checkCommand([word = '-']: readonly string[]): void {
  const known = [...COMMAND_NAMES, ...SHIPPED_NAMES]
  if (word.startsWith('-') || isScenarioPath(word) || known.includes(word)) return
  const suggestion = nearest(word, known)
  throw new CommandLineError(
    `Unknown command or scenario ${JSON.stringify(word)}${suggestion === undefined ? '.' : `: ${suggestion}`}\nGive a scenario file by its path, such as ${pathOf(word)}.`,
  )
}

/**
 * Checks the words before yargs converts them, because it converts an empty word to the number 0.
 * @throws UsageError if the value of an option is empty
 */
export function checkWords(words: readonly string[], { options }: CalledCommand): void {
  for (const { option, type, value } of givenOptions(words, options))
    if ((type === 'number' ? value?.trim() : value) === '') throw new CommandLineError(missingValue(option))
}

/** yargs reads a string in place of a number as NaN. Restores the string, so that the error about it shows it. */
export function restoreTexts(
  args: Record<string, unknown>,
  words: readonly string[],
  { options }: CalledCommand,
): void {
  for (const { option, value } of givenOptions(words, options))
    for (const name of [option, camelCase(option)]) if (Number.isNaN(args[name])) args[name] = value
}

/** An option with the word that may be its value. */
interface GivenOption {
  readonly option: string
  readonly type: string
  readonly value: string | undefined
}

/** The options of a command line that may have a value. */
function givenOptions(words: readonly string[], options: CalledCommand['options']): GivenOption[] {
  const ownWords = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  return ownWords.flatMap((word, index) => {
    const [option, { type = '' } = {}] = optionIn(word, options) ?? []
    if (option === undefined || type === 'boolean') return []
    return { option, type, value: valueIn(word) ?? ownWords[index + 1] }
  })
}

/** The value in the word of an option, as in `--port=1`, `-p=1` and `-p:1`. */
function valueIn(word: string): string | undefined {
  const equals = word.indexOf('=')
  if (equals !== -1) return word.slice(equals + 1)
  return /^-\w./.test(word) ? word.slice(2) : undefined
}

/** yargs reads the argument `-`, which stands for the standard input, as an empty text. Restores it. */
export function restoreDashes(
  args: Record<string, unknown>,
  words: readonly string[],
  { positionals }: CalledCommand,
): void {
  if (!words.includes('-')) return
  for (const [name] of positionals) if (args[name] === '') args[name] = '-'
}

/** @throws UsageError if an option is empty, or if an option that is not repeatable is repeated */
export function checkValues(args: Readonly<Record<string, unknown>>, { options }: CalledCommand): void {
  for (const [option, value] of Object.entries(args)) {
    if (option === '_' || option === '--') continue
    // An unset variable in a script must not count as a value: an empty token would allow every client.
    if (value === '' || (Array.isArray(value) && value.includes('')))
      throw new CommandLineError(missingValue(option))
    if (Array.isArray(value) && options.has(option) && !options.get(option)?.array)
      throw new CommandLineError(`${dashed(option)} was given ${value.length} times. Give it once.`)
  }
}

function missingValue(option: string): string {
  return `${dashed(option)} has no value. Give one, or omit the option.`
}

/** The messages of yargs and their replacements. Tests check them, because yargs may change its messages. */
const MESSAGES: readonly (readonly [RegExp, (match: RegExpExecArray, called: CalledCommand) => string])[] = [
  [/^Not enough arguments following: (.+)$/, ([, option = '']) => missingValue(option)],
  [/^Invalid values:\n {2}Argument: (.+?), Given: (.+), Choices: (.+)$/m, invalidChoice],
  [/^Missing required arguments?: ([\w-]+)/, missingOption],
  [/^Not enough non-option arguments/, (_, { usage }) => `An argument is missing. Usage: tasksim ${usage}`],
]

/**
 * Rewords a mistake that yargs found.
 * @param message the message of yargs
 * @param words the words of the command line
 */
export function rewordMistake(message: string, words: readonly string[], called: CalledCommand): string {
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1]
  if (unknown !== undefined) return unknownArgument(unknown, words, called)
  for (const [pattern, reword] of MESSAGES) {
    const match = pattern.exec(message)
    if (match !== null) return reword(match, called)
  }
  return message
}

function unknownArgument(names: string, words: readonly string[], { name, options }: CalledCommand): string {
  const ownWords = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const option = ownWords.find((word) => /^-\D/.test(word) && optionIn(word, options) === undefined)
  const suffix = name === '' ? '' : ` for tasksim ${name}`
  if (option !== undefined) return `Unknown option ${option.split('=')[0]}${suffix}${hint(option, options)}`
  const remedy = name === 'exec' ? '\nWrite the command after two dashes: tasksim exec -- npm test.' : ''
  return `Unexpected argument${suffix}: ${names}.${remedy}`
}

/** Suggests a similar option; none for a single letter, which resembles every other letter. */
function hint(option: string, options: CalledCommand['options']): string {
  const word = option.replace(/^-+|=.*$/g, '')
  const suggestion = word.length < 2 ? undefined : nearest(word, [...options.keys()])
  return suggestion === undefined ? '.' : `: ${suggestion.replace('`', '`--')}`
}

function invalidChoice(
  [, argument = '', given = '', choices = '']: RegExpExecArray,
  called: CalledCommand,
): string {
  const words = choices.split(', ').map((choice) => choice.replaceAll('"', ''))
  const name = called.options.has(argument) ? `--${argument}` : `<${argument}>`
  const choiceList = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  const suggestion = nearest(given.replaceAll('"', ''), words)
  return `${name} must be ${choiceList}; got ${given}${suggestion === undefined ? '.' : `: ${suggestion}`}`
}

function missingOption([, option = '']: RegExpExecArray, { name, options }: CalledCommand): string {
  return `tasksim ${name} requires --${option}: ${options.get(option)?.describe ?? 'give its value'}.`
}

function pathOf(word: string): string {
  if (word === '.') return './tasksim.yaml'
  return word.includes('.') ? `./${word}` : `./${word}.yaml`
}
