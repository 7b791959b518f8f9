import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Tests of a wrong wire format may never end, and are stopped after these milliseconds. */
const LONGEST_RUN = 60_000
const SCRIPT = fileURLToPath(new URL('./run-mutant.ts', import.meta.url))

/**
 * Runs the tests of a dialect in a process of its own.
 * @param index the number of the mutant of its description; the right description if undefined
 * @returns the title of the first test that fails; empty if all pass
 */
export async function failingTest(dialect: string, index?: number): Promise<string> {
  const args = ['--import', 'tsx', SCRIPT, dialect, ...(index === undefined ? [] : [String(index)])]
  // The process and its workers are a group, which a signal ends as a whole.
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  let isStopped = false
  const timer = setTimeout(() => {
    isStopped = true
    endGroup(child.pid)
  }, LONGEST_RUN)
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  clearTimeout(timer)
  // A worker whose test never ends may outlive the process.
  endGroup(child.pid)
  if (isStopped) return 'a test that does not end'
  if (status !== 0) throw new Error(`The tests of ${dialect} cannot be run.`)
  return /^FAILED (.*)$/m.exec(output)?.[1] ?? ''
}

/** Ends a process and its workers, unless they have ended. */
function endGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
