import type { Task } from './tasks/task.js'
import type { TaskStore } from './tasks/task-store.js'

/** What a proxy may not see: downloads of output files, webhooks, and the reaction to lost or forged webhooks. */
export type Unseen = 'downloads' | 'webhooks' | 'forgeries'

/** A real service whose tasks a simulator shows, as a proxy sees them, in place of tasks of its own. */
export interface MirroredService {
  /** Its origin, such as `https://api.example.com`. */
  readonly upstream: string
  /** The tasks that the proxy has seen. */
  readonly store: TaskStore
  /** The file with the recording. */
  readonly file: string
  /** Why the proxy does not see some actions of the client. */
  readonly unseen: Readonly<Partial<Record<Unseen, string>>>
  /** Whether a webhook that the proxy did not see may have told the client about a task. */
  mayHaveAnnounced(task: Task): boolean
}
