/** A check, in Node or in the page. */
export interface Check {
  readonly title: string
  /** The time limit in milliseconds, if it is longer than the default. */
  readonly longest?: number
  /** Rejects or throws if the check fails. */
  run(): void | Promise<void>
}

/** The result of a check, which can pass from the page to Node. */
export interface Result {
  readonly title: string
  /** The reason for a failure; undefined if the check passed. */
  readonly error: string | undefined
}

/** The default time limit in milliseconds, longer than any normal check. */
const LONGEST_CHECK = 30_000

/** Runs the checks one after the other. A failure does not stop the others. */
export async function runChecks(checks: readonly Check[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { title, longest = LONGEST_CHECK, run } of checks) {
    // A browser on a busy machine may be late once. A real failure occurs again.
    const first = failureOf(run)
    let error = await within(longest, first)
    // Two runs of one check would disturb each other.
    if (error === LATE) error = await within(longest, first)
    if (error !== undefined && error !== LATE) error = await within(longest, failureOf(run))
    results.push({ title, error: error === LATE ? `not done after ${longest / 1_000} s` : error })
  }
  return results
}

/** Throws unless both values have the same JSON. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== should) throw new Error(`Expected ${what} to be ${should}, got ${is}`)
}

async function failureOf(run: Check['run']): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

/** The result of a check that is not done yet. */
const LATE = Symbol('late')

async function within(
  longest: number,
  failure: Promise<string | undefined>,
): Promise<string | typeof LATE | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), longest)
  })
  try {
    return await Promise.race([failure, late])
  } finally {
    clearTimeout(timer)
  }
}
