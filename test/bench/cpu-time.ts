import { readFileSync } from 'node:fs'

/** The kernel counts in ticks of this many milliseconds, whatever the machine. */
const TICK = 10

/** The milliseconds of CPU that this process has used so far. */
export function ownCpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * The milliseconds of CPU that another process has used so far. On a machine that others use as well this says more
 * than the wall clock does.
 * @returns NaN where the system does not tell
 */
export function cpuTimeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK
  } catch {
    return Number.NaN
  }
}
