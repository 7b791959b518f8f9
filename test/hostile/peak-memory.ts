import { readFileSync } from 'node:fs'

/** Returns the peak memory of a process in megabytes; NaN if the system does not report it. */
export function peakMemoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1_024
  } catch {
    return Number.NaN
  }
}
