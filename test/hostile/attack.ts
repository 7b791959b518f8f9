/** An attack on a server that runs as users run it. */
export interface Attack {
  /** A sentence that states what the server withstands. */
  readonly title: string
  /**
   * Carries the attack out; rejects if the server did not withstand it.
   * @param figure prints a measured figure, such as "longest stall 42 ms"
   */
  run(figure: (text: string) => void): Promise<void>
}

/** Throws unless a condition holds. */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
