const TURNS = 10

/** Lets work continue that waits only for promises which are resolved already: it gets several turns of their queue. */
export async function letContinue(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await undefined
}
