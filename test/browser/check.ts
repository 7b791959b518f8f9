/** Something that has to hold, in Node or in the page. */
export interface Check {
  readonly title: string
  /** In milliseconds, where it takes longer than others do. */
  readonly longest?: number
  /** Rejects, or throws, where it does not hold. */
  run(): void | Promise<void>
}

/** A check after it was made; it can cross from the page to Node. */
export interface Result {
  readonly title: string
  /** Why it failed; undefined where it passed. */
  readonly error: string | undefined
}

/** In milliseconds; more than any check takes, and less than a person's patience. */
const LONGEST_CHECK = 30_000

/** Makes one check after the other; a failure ends none but its own. */
export async function runChecks(checks: readonly Check[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { title, longest = LONGEST_CHECK, run } of checks) {
    // A browser on a busy machine may be late once; what does not hold fails again.
    const first = await failureOf(run, longest)
    results.push({ title, error: first === undefined ? undefined : await failureOf(run, longest) })
  }
  return results
}

/** Throws unless both are the same as JSON. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== should) throw new Error(`Expected ${what} to be ${should}, got ${is}`)
}

async function failureOf(run: Check['run'], longest: number): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error(`not done after ${longest / 1_000} s`)
    timer = setTimeout(() => reject(error), longest)
  })
  try {
    await Promise.race([run(), tooLong])
    return undefined
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } finally {
    clearTimeout(timer)
  }
}
