import { readFileSync } from 'node:fs'

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
