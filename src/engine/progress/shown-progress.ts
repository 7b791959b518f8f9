import { ROUNDING } from './progress-of.js'

/** The number of steps in which services show progress. */
const STEPS = 100

/** Progress as services show it: in steps of 0.01. It is 1 only at the end. */
export function shownProgress(progress: number): number {
  return Math.floor((progress + ROUNDING) * STEPS) / STEPS
}

/** The progress of the next step. */
export function nextShownProgress(progress: number): number {
  return (Math.floor((progress + ROUNDING) * STEPS) + 1) / STEPS
}
