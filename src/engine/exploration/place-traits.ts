import type { Outcome, TaskError } from '../tasks/task.js'

/** What the service and the scenario decide about the deviations of a place. */
export interface PlaceTraits {
  /** The field of a task with the word of its state; undefined if the service has none. */
  readonly statusField: string | undefined
  /** The fields of a succeeded task with its output, wherever it is shown. */
  readonly outputFields: readonly string[]
  /** The operation whose answers show the output. */
  readonly showsOutput: 'tasks.retrieve' | 'tasks.result'
  /** The fields of a succeeded task that it may lack. */
  readonly optionalFields: readonly string[]
  /** Whether an answer about a task has a new URL of a file once the old one has expired. */
  readonly renewsUrls: boolean
  /** Whether webhooks are signed, and whether the signature covers the time. */
  readonly isSigned: boolean
  readonly signsTime: boolean
  /** The wait before the second attempt of a webhook, in milliseconds; undefined if there is none. */
  readonly retry: number | undefined
  /** How long the task at the place takes, in milliseconds; undefined if polls decide. */
  readonly duration?: number | undefined
  /** The number of pictures or videos that it makes; undefined if it makes neither. */
  readonly files?: number | undefined
  /** Its planned outcome. */
  readonly outcome?: Outcome | undefined
  /** The errors with which the scenario lets it fail. */
  readonly errors?: readonly TaskError[] | undefined
}

/** Returns the traits of a place of a service. @param taskId the task at the place, if it has one */
export type ReadTraits = (dialect: string, taskId: string | undefined) => PlaceTraits
