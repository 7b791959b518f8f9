import { spawnSync } from 'node:child_process'
import { type Check, type CheckOptions, type Result, runCheck } from './check.js'
import { endAll } from './processes.js'

/**
 * Runs a harness from the command line, and exits: with 1 if a check or the harness fails. All processes that it has
 * started end with it.
 * @param longest the time limit in milliseconds of the whole run
 * @param run gets the arguments; returns the results of its checks, if it has any
 */
export async function harness(
  name: string,
  longest: number,
  run: (args: readonly string[]) => Promise<readonly Result[] | undefined>,
): Promise<never> {
  const fail = (error: unknown): never => {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
  process.on('exit', endAll)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  setTimeout(() => fail(`not done after ${longest / 1_000} s`), longest).unref()
  const results = await run(process.argv.slice(2)).catch(fail)
  if (results !== undefined) {
    const failed = results.filter(({ error }) => error !== undefined).length
    print(`${results.length - failed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  }
  process.exit()
}

/** Runs checks one after the other, and prints a line for each. A failure does not stop the others. */
export async function runChecks(checks: readonly Check[], options: CheckOptions): Promise<Result[]> {
  return runOnLanes([checks], options)
}

/**
 * Runs each check on the first lane that is free.
 * @param lanes the same checks for each lane, which may differ in what they use
 */
export async function runOnLanes(
  lanes: readonly (readonly Check[])[],
  options: CheckOptions,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const runNext = async (checks: readonly Check[]): Promise<void> => {
    for (let check = checks[next++]; check !== undefined; check = checks[next++]) {
      const result = await runCheck(check, { figure: (text) => print(`        ${text}`), ...options })
      report(result)
      results.push(result)
    }
  }
  await Promise.all(lanes.map(runNext))
  return results
}

/** Prints the result of a check. */
export function report({ title, error, seconds }: Result): void {
  print(`${error === undefined ? 'ok    ' : 'FAILED'}  ${title} (${seconds.toFixed(1)} s)`)
  if (error !== undefined) print(`        ${error}`)
}

/** The checks of an object with a function for each title. */
export function titled(checks: Readonly<Record<string, Check['run']>>): Check[] {
  return Object.entries(checks).map(([title, run]) => ({ title, run }))
}

/**
 * Selects the checks whose title contains one of the words; all without words.
 * @throws Error if there are none
 */
export function chosen<Chosen extends Pick<Check, 'title'>>(
  checks: readonly Chosen[],
  words: readonly string[],
): readonly Chosen[] {
  const found = checks.filter(({ title }) => words.length === 0 || words.some((word) => title.includes(word)))
  if (found.length === 0) throw new Error(`Expected words of a title, got ${JSON.stringify(words)}`)
  return found
}

/** @throws Error with the command that installs the programs that are missing on this machine */
export function requirePrograms(debian: string, ...programs: readonly string[]): void {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length === 0) return
  throw new Error(`Failed to find ${missing.join(' and ')}. Install it: apt-get install -y ${debian}`)
}

/** Whether this machine has a program. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

/** Prints a line. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
