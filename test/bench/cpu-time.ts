import { readdirSync, readFileSync } from 'node:fs'

/** The length of a kernel tick in milliseconds, on every machine. */
const TICK = 10

/** Returns the CPU time that this process has used so far, in milliseconds. */
export function ownCpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Returns the CPU time that another process has used so far, in milliseconds. On a shared machine it is more reliable
 * than wall time.
 * @returns NaN if the system does not report it
 */
export function cpuTimeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program name, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK
  } catch {
    return Number.NaN
  }
}

/**
 * Returns the CPU time that all threads of another process have used so far, in milliseconds, without the rounding of
 * {@link cpuTimeOf}. Threads that have ended do not count.
 * @returns NaN if the system does not report it
 */
export function preciseCpuTimeOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const nanoseconds = threads.map((thread) =>
      Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10),
    )
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return Number.NaN
  }
}
