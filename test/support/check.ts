/** Something that must hold, and how to find out. It runs in Node or in a page. */
export interface Check {
  /** A sentence that says what holds. */
  readonly title: string
  /** The time limit in milliseconds, if it is longer than that of the other checks. */
  readonly longest?: number
  /**
   * Rejects or throws if it does not hold.
   * @param figure prints a measured figure, such as "takeover after 1420 ms"
   */
  run(figure: (text: string) => void): unknown
}

/** The result of a check, which can pass from a page to Node. */
export interface Result {
  readonly title: string
  /** The reason for a failure; undefined if the check passed. */
  readonly error: string | undefined
  readonly seconds: number
}

/** How to run a check. */
export interface CheckOptions {
  /** The time limit in milliseconds of a check that has none of its own. */
  readonly longest: number
  readonly figure?: (text: string) => void
  /** Whether a check that fails runs again: a browser on a busy machine may be late once. */
  readonly isRetried?: boolean
}

/** Runs a check. */
export async function runCheck(
  { title, longest, run }: Check,
  { longest: usual, figure = () => {}, isRetried = false }: CheckOptions,
): Promise<Result> {
  const begin = performance.now()
  const limit = longest ?? usual
  const first = failureOf(run, figure)
  let error = await within(limit, first)
  // Two runs of one check would disturb each other.
  if (isRetried && error === LATE) error = await within(limit, first)
  if (isRetried && error !== undefined && error !== LATE) {
    figure(`runs again: ${error}`)
    error = await within(limit, failureOf(run, figure))
  }
  const seconds = (performance.now() - begin) / 1_000
  return { title, error: error === LATE ? `not done after ${limit / 1_000} s` : error, seconds }
}

async function failureOf(run: Check['run'], figure: (text: string) => void): Promise<string | undefined> {
  try {
    await run(figure)
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
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

/** Throws unless both values have the same JSON. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== should) throw new Error(`Expected ${what} to be ${should}, got ${is}`)
}

/** Throws unless a condition holds. */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Calls a function until it returns true. */
export async function eventually(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  patience = 10_000,
): Promise<void> {
  const deadline = performance.now() + patience
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Expected that ${what} within ${patience} ms`)
    await wait(20)
  }
}

/** Waits some milliseconds. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
