/**
 * Limits how often a function runs: at most once per interval, given in milliseconds. Calls during a run or the
 * interval lead to one more run. The next run follows even after an error.
 */
export function throttle(interval: number, run: () => Promise<unknown>): () => void {
  let isRequested = false
  let isBusy = false
  const work = () => {
    isRequested = false
    isBusy = true
    run()
      .catch(() => {})
      .finally(() =>
        setTimeout(() => {
          isBusy = false
          if (isRequested) work()
        }, interval),
      )
  }
  return () => {
    isRequested = true
    if (!isBusy) work()
  }
}
