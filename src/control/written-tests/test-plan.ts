import type { TaskError } from '../../engine/tasks/task.js'

/** The place of the task's id in a path of a plan: the id is known only once the test has created the task. */
export const ID = '{task}'

/** The origin of the service in tests of the main dialect. */
export const ORIGIN = 'https://api.example.com'

/** A request of a test. */
export interface PlannedRequest {
  readonly method: string
  /** As a server has it: below the name of its dialect. May contain {@link ID}. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What a test does, in order. */
export type Step =
  | {
      readonly type: 'send'
      readonly request: PlannedRequest
      /** How often; once by default. */
      readonly times?: number
      /** Whether all tasks end after each request. */
      readonly ends?: boolean
    }
  /** Reads the URLs of the task's files, which the next download uses. */
  | { readonly type: 'keep' }
  /** Downloads a file of the task, from its URL or a changed one. */
  | { readonly type: 'download'; readonly file: number; readonly isAltered: boolean }
  | { readonly type: 'advance'; readonly ms: number }
  | {
      readonly type: 'finish'
      readonly status: 'succeeded' | 'failed' | 'canceled'
      readonly error: TaskError | undefined
    }
  | { readonly type: 'hold' }
  | { readonly type: 'idle' }

/** The scenario of a test, as code and as what it means. */
export interface TestScenario {
  /** The name of a shipped scenario. */
  readonly name: string
  /** The text of any other scenario, without secrets. */
  readonly text?: string
}

/** A test, before it is written. */
export interface TestPlan {
  readonly scenario: TestScenario
  readonly seed: string
  /** The dialect of its requests. */
  readonly dialect: string
  /** The statuses with which receivers answer, in order; 0 for none. */
  readonly answers: readonly number[]
  /** The URLs of receivers that neither the scenario nor the request names. */
  readonly receivers: readonly string[]
  /** What the reader should know, such as why the request has a directive. */
  readonly notes: readonly string[]
  readonly steps: readonly Step[]
}
