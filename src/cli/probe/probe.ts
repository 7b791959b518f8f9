import type { Mark } from '../verdict/judged.js'
import type { ProbeContext } from './context.js'
import type { Echo, Shot } from './exchange.js'

/** What came of a probe, and what to say about it. */
export interface Opinion {
  readonly mark: Mark
  /** Why it matters in production; empty where all is well. */
  readonly why: string
  readonly remedy: string
}

/** What a probe works with. */
export interface ProbeTools {
  readonly context: ProbeContext
  /** The task that its events tell of. */
  readonly taskId: string
  /** @param patience milliseconds to wait for an answer, where that is less than the timeout */
  fire(shot: Shot, patience?: number): Promise<Echo>
}

/** One attack on a webhook endpoint. */
export interface Probe {
  readonly id: string
  /** What is sent. */
  readonly title: string
  /** What a good receiver answers. */
  readonly expected: string
  /** Whether it is well where the receiver refuses: that says nothing of a receiver that refuses everything. */
  readonly wantsRefusal?: boolean
  run(tools: ProbeTools): Promise<readonly Echo[]>
  judge(echoes: readonly Echo[]): Opinion
}

/** Sends one request. */
export function once(make: (tools: ProbeTools) => Shot): Probe['run'] {
  return async (tools) => [await tools.fire(make(tools))]
}

/** Sends requests one after the other. */
export function inTurn(make: (tools: ProbeTools) => readonly Shot[]): Probe['run'] {
  return async (tools) => {
    const echoes: Echo[] = []
    for (const shot of make(tools)) echoes.push(await tools.fire(shot))
    return echoes
  }
}

/** Sends requests at the same time. */
export function atOnce(make: (tools: ProbeTools) => readonly Shot[]): Probe['run'] {
  return (tools) => Promise.all(make(tools).map((shot) => tools.fire(shot)))
}
