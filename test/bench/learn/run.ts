import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { launch } from '../../support/processes.js'
import { CLI } from '../../support/server.js'
import { taskLines } from './task-lines.js'

/** What `tasksim learn` needed. */
export interface Usage {
  readonly status: number | null
  /** CPU time in milliseconds. */
  readonly cpu: number
  /** The peak of the resident memory, in bytes. */
  readonly peak: number
  /** The scenario. */
  readonly scenario: string
}

/**
 * Runs `tasksim learn` of the compiled package with a history that it gets as a stream.
 * @param options options of Node
 */
export async function learnTasks(count: number, options: readonly string[] = []): Promise<Usage> {
  const reporter = new URL('report-usage.mjs', import.meta.url).href
  const child = launch(process.execPath, [...options, '--import', reporter, CLI, 'learn', '-'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  })
  const [stdin, stdout, , report] = child.stdio
  const ended = once(child, 'close')
  const outputs = Promise.all([text(stdout as Readable), text(report as Readable)])
  await pipeline(Readable.from(taskLines(count)), stdin as NodeJS.WritableStream)
  const [[status], [scenario, usage]] = await Promise.all([ended, outputs])
  return { status, scenario, ...JSON.parse(usage) }
}
