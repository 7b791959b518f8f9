import { duration, type LogFormat, record } from '../log.js'
import { colors } from '../output.js'

/** What a file contains. */
export type FileNoun = 'scenario' | 'dialect'

/** A file that a server uses. */
interface UsedFile {
  readonly noun: FileNoun
  readonly path: string
}

/**
 * Reports that a file was saved.
 * @param error the mistakes in the file, if it is invalid
 */
export function reloadedLine(format: LogFormat, file: UsedFile, now: number, error?: string): string {
  const { noun, path } = file
  if (error !== undefined) return problemLine(format, file, now, 'broken', error)
  if (format === 'json') return record(noun, now, { path, state: 'reloaded' })
  return colors.green(`Reloaded the ${noun} ${path}`)
}

/** Reports that a file was deleted while a server uses it. */
export function deletedLine(format: LogFormat, file: UsedFile, now: number): string {
  return problemLine(format, file, now, 'deleted', 'Save the file again to reload it.')
}

function problemLine(
  format: LogFormat,
  { noun, path }: UsedFile,
  now: number,
  state: string,
  message: string,
): string {
  if (format === 'json') return record(noun, now, { path, state, message })
  const problem = state === 'deleted' ? `The ${noun} ${path} was deleted` : `Invalid ${noun} ${path}`
  return colors.red(`${problem}; the previous version stays active.\n${message}`)
}

/** The shutdown of a server: it waits for pending deliveries, then drops the rest, unless a ledger stores them. */
type Shutdown =
  | { readonly state: 'draining'; readonly pending: number; readonly limit: number }
  | { readonly state: 'ended'; readonly dropped: number; readonly limit: number }
  | { readonly state: 'ended'; readonly stored: number; readonly limit: number }

/**
 * Reports that a server is a standby, because another process leads its ledger.
 * @param ledger its address without secrets
 */
export function standbyLine(
  format: LogFormat,
  now: number,
  { url, ledger }: { url: string; ledger: string },
): string {
  if (format === 'json') return record('standby', now, { url, ledger })
  return `${colors.bold('tasksim')} is a standby at ${colors.cyan(url)}: another process leads the ledger ${ledger}.`
}

/**
 * Reports that another process has taken over the ledger of a server, which becomes a standby.
 * @param ledger its address without secrets
 */
export function deposedLine(format: LogFormat, now: number, ledger: string): string {
  if (format === 'json') return record('deposed', now, { ledger })
  return colors.yellow(`Another process has taken over the ledger ${ledger}. This server becomes a standby.`)
}

/** Reports a shutdown. The limit of the wait is in milliseconds. */
export function shutdownLine(format: LogFormat, now: number, shutdown: Shutdown): string {
  const { limit, ...rest } = shutdown
  if (format === 'json') return record('shutdown', now, { ...rest, limit_ms: limit })
  if (shutdown.state === 'draining')
    return colors.yellow(
      `Waiting up to ${duration(limit)} for ${webhooks(shutdown.pending)}. Send a second signal to exit immediately.`,
    )
  const left = 'stored' in shutdown ? shutdown.stored : shutdown.dropped
  if (left === 0) return colors.green('All pending webhooks are finished.')
  if ('stored' in shutdown) return colors.green(`Stored ${webhooks(left)} in the ledger.`)
  const remedy = limit === 0 ? ' To wait for them, pass --drain 10s.' : ''
  return colors.yellow(`Dropped ${webhooks(left)}.${remedy}`)
}

function webhooks(count: number): string {
  return `${count} pending webhook${count === 1 ? '' : 's'}`
}
