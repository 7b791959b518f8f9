import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { cpuTimeOf } from '../bench/cpu-time.js'
import { percentile } from '../bench/figure.js'
import { send } from '../bench/request.js'
import { CALM, type Clients } from './clients.js'

const BETWEEN_LOOKS = 250

/** The state of the server in a period of the soak. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number
  /** Bytes. */
  readonly rss: number
  /** The used share of one processor. */
  readonly cpu: number
  readonly tasks: number
  readonly p50: number
  readonly p99: number
  /** The longest answer time of the health check, in milliseconds. */
  readonly health: number
}

/** Samples a server repeatedly from outside, until the signal aborts. */
export async function watch(
  { pid, port }: { readonly pid: number; readonly port: number },
  clients: Clients,
  every: number,
  signal: AbortSignal,
): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const begin = performance.now()
  const samples: Sample[] = []
  while (!signal.aborted) {
    clients.latencies = []
    const [since, usedBefore] = [performance.now(), cpuTimeOf(pid)]
    const health = await longestLook(agent, port, every)
    // The last period may have no requests.
    if (signal.aborted) break
    const { latencies } = clients
    const tasks = [...clients.created.values()].reduce((sum, { size }) => sum + size, 0)
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
    const cpu = (cpuTimeOf(pid) - usedBefore) / (performance.now() - since)
    const at = (performance.now() - begin) / 1_000
    samples.push({ at, rss: residentBytes(pid), cpu, tasks, p50, p99, health })
    process.stderr.write(`${line(samples.at(-1) as Sample)}\n`)
  }
  agent.destroy()
  return samples
}

async function longestLook(agent: Agent, port: number, milliseconds: number): Promise<number> {
  const begin = performance.now()
  let longest = 0
  while (performance.now() - begin < milliseconds) {
    const sent = performance.now()
    await send({ agent, port, method: 'GET', path: '/_sim/health', key: CALM, patience: 10_000 })
    longest = Math.max(longest, performance.now() - sent)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS))
  }
  return longest
}

/** Returns the resident memory of a process; NaN if the system does not report it. */
function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
  } catch {
    return Number.NaN
  }
}

function line({ at, rss, cpu, tasks, p50, p99, health }: Sample): string {
  const times = `p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  health at worst ${health.toFixed(1)} ms`
  return `${at.toFixed(0).padStart(5)} s  ${(rss / 2 ** 20).toFixed(0)} MiB  CPU ${(cpu * 100).toFixed(0)} %  ${tasks} tasks  ${times}`
}
