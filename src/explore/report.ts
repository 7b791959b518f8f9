import type { RunResult } from '../engine/exploration/run-result.js'
import type { Severity } from '../inspect/findings/finding.js'
import type { DeviationClass } from './deviations.js'
import type { Reproduction } from './reproduction.js'
import type { TimelineEntry } from './run.js'

export { RUN_RESULTS, type RunResult } from '../engine/exploration/run-result.js'

/** One run in a report. The names of the fields are those of the JSON format. */
export interface ReportedRun {
  readonly id: string
  /** The place of the first deviation. */
  readonly place: string
  /** Such as `tasks.create`, `webhook` or `task`. */
  readonly operation: string
  /** The word of the last deviation. */
  readonly deviation: string
  readonly class: DeviationClass
  readonly result: RunResult
  readonly ok: boolean
  readonly severity: Severity | 'ok'
  /** The exit status of the command; undefined in process, or if it did not end by itself. */
  readonly status?: number | undefined
  /** The number of tasks. */
  readonly tasks: number
  readonly cost_usd: number
  /** The ids of the findings that the baseline does not have. */
  readonly findings: readonly string[]
  /** Milliseconds of real time. */
  readonly ms: number
  /** What the client did, in a sentence. */
  readonly what: string
  /** Lines of stdout that the baseline does not have. */
  readonly printed: readonly string[]
  readonly timeline: readonly TimelineEntry[]
  /** Why the result is right nevertheless, as the scenario or the file of accepted problems says. */
  readonly because?: string | undefined
}

/** Where a run belongs in a matrix. */
export type RunCell = Pick<ReportedRun, 'id' | 'place' | 'deviation'>

/** Runs with the same cause. */
export interface Problem {
  readonly result: RunResult
  readonly severity: Severity
  /** Such as `tasks.create`; `baseline` for a mistake without a failure. */
  readonly operation: string
  /** The ids of the findings, if the result is one. */
  readonly findings: readonly string[]
  readonly deviations: readonly string[]
  /** The ids of the runs. */
  readonly runs: readonly string[]
  /** What was done to which request, and what the client did. */
  readonly what: string
  readonly why: string
  readonly remedy: string
  /** The command that repeats the first run alone. */
  readonly repeat: string
  /** The failure of one of the runs in a scenario, or why a scenario cannot describe it. */
  readonly reproduction: Reproduction
}

/** The result of an exploration. */
export interface ExplorationReport {
  readonly version: 1
  /** The command, or the name of the test. */
  readonly command: readonly string[]
  readonly seed: string
  readonly dialect: string
  readonly baseline: {
    readonly status: number
    readonly requests: number
    readonly tasks: number
    readonly cost_usd: number
    readonly places: number
  }
  /** Sentences about the baseline: what differed between its two runs, for example. */
  readonly remarks: readonly string[]
  readonly runs: readonly ReportedRun[]
  readonly problems: readonly Problem[]
  /** How many runs were left out, and why, and which ones. */
  readonly left_out: { readonly max_runs: number; readonly budget: number; readonly runs: readonly RunCell[] }
  /** The accepted problems that are still there, and those that have gone. */
  readonly accepted: readonly { readonly run: string; readonly result: RunResult; readonly gone: boolean }[]
  readonly summary: {
    readonly runs: number
    readonly ok: number
    readonly errors: number
    readonly warnings: number
  }
}

/**
 * The exit status of an exploration: 1 if a problem is at least as severe as `failOn`, 0 otherwise. Accepted problems and
 * results that the scenario expects do not count.
 */
export function statusOf(
  { summary }: Pick<ExplorationReport, 'summary'>,
  failOn: 'error' | 'warning' | 'never' = 'warning',
): 0 | 1 {
  if (failOn === 'never') return 0
  return summary.errors > 0 || (failOn === 'warning' && summary.warnings > 0) ? 1 : 0
}
