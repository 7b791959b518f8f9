import type { ExpectedResult } from '../engine/exploration/run-result.js'
import type { AcceptedProblem } from './excused-runs.js'
import type { PlanFilters } from './plan.js'
import type { ExplorationReport, ReportedRun, RunCell } from './report.js'

/** The runs that an exploration is about to begin. */
export interface ExplorationPlan {
  /** Their ids. With a depth of 2, more follow. */
  readonly runs: readonly string[]
  /** How long they will take if each takes a little longer than the baseline, in milliseconds of real time. */
  readonly expected: number
  /** Sentences about the baseline. */
  readonly remarks: readonly string[]
  /** Whether the first runs measure how long the client waits. */
  readonly measures: boolean
}

/** What to explore, and how. */
export interface ExploreOptions extends PlanFilters {
  /** The command, or the name of the test. */
  readonly command: readonly string[]
  readonly seed: string
  /** The largest number of deviations in a run; 1 by default. */
  readonly depth?: number | undefined
  /** The largest number of runs with deviations. */
  readonly maxRuns?: number | undefined
  /** How long to begin further runs, in milliseconds of real time; 10 minutes by default. */
  readonly budget?: number | undefined
  /** The number of runs at the same time; 1 by default. */
  readonly jobs?: number | undefined
  /** How long the client may make no progress until it hangs, in milliseconds on the clock; an hour by default. */
  readonly patience?: number | undefined
  /** Whether to measure how long the client waits, unless `patience` says so. */
  readonly measurePatience?: boolean | undefined
  /** How the client can reach the simulator if it sends no request to it. */
  readonly reachRemedy?: string | undefined
  /** The results that are right, as the scenario says. */
  readonly expectations?: readonly ExpectedResult[] | undefined
  readonly accepted?: readonly AcceptedProblem[] | undefined
  /** Writes the command that repeats a run alone. */
  readonly repeat?: ((id: string) => string) | undefined
  /** Called before the first run with a deviation. */
  readonly onPlan?: ((plan: ExplorationPlan) => void) | undefined
  /** Called after each run. */
  readonly onRun?: ((run: ReportedRun, progress: RunProgress) => void) | undefined
  /** Called before the first run and after each run, with the report so far and all runs that are known. */
  readonly onReport?: ((report: ExplorationReport, known: readonly RunCell[]) => void) | undefined
  /** Whether to run only the baseline. */
  readonly listOnly?: boolean | undefined
  /** Begins no further run once it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** The real time, in milliseconds. */
  readonly now: () => number
}

/** How many runs have ended, and how many are known. */
export interface RunProgress {
  readonly done: number
  readonly total: number
}
