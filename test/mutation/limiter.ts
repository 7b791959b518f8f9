/** Returns a function that starts jobs in their order, and runs at most `count` of them at the same time. */
export function limiter(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (free === 0) await new Promise<void>((go) => waiting.push(go))
    else free -= 1
    return job().finally(release)
  }
}
