import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { type RunEnd, UNSETTLED } from '../../explore/run.js'
import type { ClientProcess } from './client-process.js'
import type { NotedErrors } from './crash-hooks.js'

/** The statuses of a shell for a command that a signal has ended. */
const CRASHES = { from: 129, to: 159 }
const UNSETTLED_MESSAGE =
  'It exited with status 13: Node.js had nothing left to do, and a top-level `await` waits for a promise that nobody settles.'
/** In characters. */
const LONGEST_MESSAGE = 200

/**
 * Says how a command has ended by itself. Of a command that succeeds, only the errors of threads count: what it has
 * started besides may have crashed, and it has coped with that.
 */
export function endOf(
  { status, signal }: Awaited<ClientProcess['ended']>,
  client: Pick<ClientProcess, 'stdout' | 'stderr'>,
  { ofProcesses, ofThreads }: NotedErrors,
  crashPatterns: readonly RegExp[],
): RunEnd {
  if (signal !== null) return crash(`It was ended by ${signal} (${constants.signals[signal]}).`)
  const noted = status === 0 ? ofThreads : (ofProcesses ?? ofThreads)
  const error = noted ?? traceIn(client.stderr, { hasFailed: status !== 0, patterns: crashPatterns })
  if (error !== undefined) return crash(error)
  if (status === 0) return { type: 'success' }
  if (status === UNSETTLED) return { ...crash(UNSETTLED_MESSAGE), status }
  if (status !== null && status >= CRASHES.from && status <= CRASHES.to)
    return crash(`It exited with status ${status}.`)
  return { type: 'failure', status: status ?? undefined, message: lastLineOf(client) }
}

function crash(message: string) {
  return { type: 'crash' as const, message: message.slice(0, LONGEST_MESSAGE) }
}

/** What a command has said last. */
export function lastLineOf({ stderr, stdout }: Pick<ClientProcess, 'stdout' | 'stderr'>): string {
  const [errors, others] = [stderr, stdout].map((output) => stripVTControlCharacters(output).trim())
  const lines = (errors || others || '').split(/\r?\n/)
  return lines.at(-1)?.trim().slice(0, LONGEST_MESSAGE) ?? ''
}

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
function traceIn(
  stderr: string,
  { hasFailed, patterns }: { readonly hasFailed: boolean; readonly patterns: readonly RegExp[] },
): string | undefined {
  const all = [...patterns, ...OF_THREADS, ...(hasFailed ? OF_PROCESSES : [])]
  const found = all.map((pattern) => pattern.exec(stderr)?.[0]).find((trace) => trace !== undefined)
  return found?.split('\n')[0]
}
