import { type Candidate, candidates } from './candidates.js'

/**
 * Answers the script that `tasksim completion` prints: one candidate a line.
 * @param words of the command line up to the cursor, `tasksim` first
 */
export async function printCompletions(words: readonly string[]): Promise<void> {
  const found = await candidates(words.slice(1))
  const write = isZsh(process.env) ? forZsh : ({ word }: Candidate) => word
  process.stdout.write(found.map((candidate) => `${write(candidate)}\n`).join(''))
}

/** Whether the script that asks is the one for zsh: yargs decides by the same variables which one it prints. */
function isZsh({ SHELL = '', ZSH_NAME = '' }: NodeJS.ProcessEnv): boolean {
  return SHELL.includes('zsh') || ZSH_NAME.includes('zsh')
}

/** A word and its description with a colon between them, as `_describe` wants it. */
function forZsh({ word, description }: Candidate): string {
  return description === '' ? word.replaceAll(':', '\\:') : `${word.replaceAll(':', '\\:')}:${description}`
}
