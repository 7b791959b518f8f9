import type { Status, Task } from '../../engine/tasks/task.js'

/** What the rules need to know about the service that a client calls. */
export interface ServiceFacts {
  /** The names of the fields in answers about tasks. */
  readonly answers: {
    /** The field of a page that lists tasks. */
    readonly list: string
    /** The field of an answer about one task that holds the task; undefined if the answer is the task. */
    readonly task?: string | undefined
    readonly ids: readonly string[]
    readonly status: string
    /** The states by the words of the service. */
    readonly words: Readonly<Record<string, Status>>
    /** Whether only requests for the result of a task show its output. */
    readonly hidesOutput?: boolean | undefined
  }
  /** Whether its description lists APIs that have ended, or will. */
  readonly hasEndedApis?: boolean | undefined
  /** Whether a receiver can verify the webhooks of the service. */
  readonly signsWebhooks: boolean
  /** Whether the service has a list that shows such a task. */
  lists(task: Task): boolean
  /** Whether the create request of such a task can name a receiver of webhooks. */
  takesWebhookUrl(task: Task): boolean
}
