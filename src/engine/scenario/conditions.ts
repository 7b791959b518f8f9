import type { Kind } from '../tasks/task.js'
import type { Bounds } from './delay.js'

/** A test of one input field: an equal value, a regular expression, or bounds of a number. */
export type FieldTest = string | number | boolean | null | FieldPattern

interface FieldPattern extends Bounds {
  readonly matches?: string | undefined
  readonly ignore_case?: boolean | undefined
}

/** Conditions on a task. A task matches if it meets all of them. */
export interface TaskConditions {
  /** A model id; `*` stands for any characters. */
  readonly model?: string | undefined
  /** The kind of the task. */
  readonly kind?: Kind | undefined
  /** The wire format of the request that creates it, such as `tasks`. */
  readonly dialect?: string | undefined
  /** The API key; `*` stands for any characters. */
  readonly key?: string | undefined
  /** Tests of input fields, by path. */
  readonly input?: Readonly<Record<string, FieldTest>> | undefined
}

/** When a rule applies, and to which of the candidates that meet its other conditions. */
export interface FrequencyConditions {
  /** A time window, in milliseconds after the scenario became active. `to` is exclusive. */
  readonly window?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined
  /** The share of candidates, 0 to 1, or a share that changes over the window. */
  readonly rate?: number | { readonly from: number; readonly to: number } | undefined
  /** Which candidates, counted from 1. */
  readonly nth?: number | (Bounds & { readonly every?: number | undefined }) | undefined
  /** Counts separately for each task or API key; by default, all candidates share one count. */
  readonly per?: 'task' | 'key' | undefined
}
