import type { AnswerShape } from '../../engine/tasks/answered-task.js'
import type { Task } from '../../engine/tasks/task.js'

/** What the rules need to know about the service that a client calls. */
export interface ServiceFacts {
  /** The names of the fields in answers about tasks. */
  readonly answers: AnswerShape
  /** Whether its description lists APIs that have ended, or will. */
  readonly hasEndedApis?: boolean | undefined
  /** Whether a receiver can verify the webhooks of the service. */
  readonly signsWebhooks: boolean
  /** Whether the service has a list that shows such a task. */
  lists(task: Task): boolean
  /** Whether the create request of such a task can name a receiver of webhooks. */
  takesWebhookUrl(task: Task): boolean
}
