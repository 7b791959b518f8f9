import { readFileSync } from 'node:fs'

/** The most memory that a process has occupied so far, in megabytes; NaN if the system does not say. */
export function peakMemoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1_024
  } catch {
    return Number.NaN
  }
}
