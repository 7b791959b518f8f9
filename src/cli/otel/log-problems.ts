import type { DiagLogger } from '@opentelemetry/api'

/** The maximum number of different problems to print. */
const MAX_PROBLEMS = 20

/** Prints each problem of the SDK once: an exporter repeats its error with every batch. */
export function problemLogger(print: (line: string) => void): DiagLogger {
  const known = new Set<string>()
  const log = (...given: readonly unknown[]) => {
    const problem = given.map(textOf).join(' ')
    if (known.has(problem) || known.size >= MAX_PROBLEMS) return
    known.add(problem)
    print(`tasksim: OpenTelemetry: ${problem}\n`)
  }
  const ignore = () => {}
  return { error: log, warn: log, info: ignore, debug: ignore, verbose: ignore }
}

/** The SDK reports an error as JSON with its message and its stack. */
function textOf(given: unknown): string {
  if (given instanceof Error) return given.message
  const text = String(given)
  if (!text.startsWith('{')) return text
  try {
    const { message, code } = JSON.parse(text)
    return String(message || code || text)
  } catch {
    return text
  }
}
