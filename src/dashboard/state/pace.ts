/**
 * Runs something soon after it was asked for, and no more often than once in so many milliseconds, however often it
 * is asked for; what is asked for while it runs is done after that. A failure is left to the next time.
 */
export function atMostEvery(interval: number, run: () => Promise<unknown>): () => void {
  let isWanted = false
  let isResting = false
  const work = () => {
    isWanted = false
    isResting = true
    run()
      .catch(() => {})
      .finally(() =>
        setTimeout(() => {
          isResting = false
          if (isWanted) work()
        }, interval),
      )
  }
  return () => {
    isWanted = true
    if (!isResting) work()
  }
}
