/** How the output of an error that ended a program looks, in runtimes without a hook. */
const OF_PROCESSES: readonly RegExp[] = [
  /^Node\.js v\d+\.\d+\.\d+\s*$/m,
  /^panic: [\s\S]*^goroutine \d+/m,
  /^\S+\.rb:\d+:in .*\(\w+(?:::\w+)*\)$/m,
  /^PHP Fatal error: {2}Uncaught.*/m,
  /^Unhandled exception\. .*/m,
  /^thread '.*' (?:\(\d+\) )?panicked at .*/m,
  /^error: Uncaught .*/m,
]
/** The same for an error that has ended a thread: the program may go on, and succeed. */
const OF_THREADS: readonly RegExp[] = [/^Exception in thread ".*/m]

/**
 * Finds the trace of an error that nobody has caught: by the form of its runtime (Node, Go, Ruby, PHP, .NET, Rust, Deno,
 * Java), or by a pattern of the user.
 * @returns its first line; undefined if there is none
 */
export function traceIn(
  stderr: string,
  { hasFailed, patterns }: { readonly hasFailed: boolean; readonly patterns: readonly RegExp[] },
): string | undefined {
  const all = [...patterns, ...OF_THREADS, ...(hasFailed ? OF_PROCESSES : [])]
  const found = all.map((pattern) => pattern.exec(stderr)?.[0]).find((trace) => trace !== undefined)
  return found?.split('\n')[0]
}
