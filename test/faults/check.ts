/** A check of what happens when a part of the system fails. */
export interface Check {
  /** A sentence that states what holds in spite of the fault. */
  readonly title: string
  /** The time limit in milliseconds, if it is longer than the default. */
  readonly longest?: number
  /**
   * Causes the fault; rejects if something went wrong.
   * @param figure prints a measured figure, such as "takeover after 1420 ms"
   */
  run(figure: (text: string) => void): Promise<void>
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
export async function eventually(what: string, isTrue: () => boolean | Promise<boolean>, patience = 10_000) {
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
