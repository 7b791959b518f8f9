import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { end, launch } from '../support/processes.js'

/** The tests of a wrong wire format may never end, and are stopped after these milliseconds. */
export const LONGEST_RUN = 60_000
const SCRIPT = fileURLToPath(new URL('./run-mutant.ts', import.meta.url))

/**
 * Runs the tests of a dialect in a process of their own.
 * @param index the number of the mutant of its description; the right description if undefined
 * @returns the title of the first test that fails; empty if all pass
 */
export async function failingTest(dialect: string, index?: number): Promise<string> {
  const args = ['--import', 'tsx', SCRIPT, dialect, ...(index === undefined ? [] : [String(index)])]
  const child = launch(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let isStopped = false
  const timer = setTimeout(() => {
    isStopped = true
    void end(child)
  }, LONGEST_RUN)
  const [output, [status]] = await Promise.all([text(child.stdout as Readable), once(child, 'close')])
  clearTimeout(timer)
  if (isStopped) return 'a test that does not end'
  if (status !== 0) throw new Error(`The tests of ${dialect} cannot be run.`)
  return /^FAILED (.*)$/m.exec(output)?.[1] ?? ''
}
