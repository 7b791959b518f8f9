import type { RequestNote } from '../../../engine/requests/answered-request.js'
import { isSuccess } from '../../../engine/requests/statuses.js'
import { isTerminal, type Status } from '../../../engine/tasks/task.js'
import type { Exchange } from '../../../http/operation.js'

type Observed = NonNullable<RequestNote['observed']>

/** What an answer shows, and what earlier answers have shown. */
interface ObservedAnswer {
  readonly status: number
  /** The tasks in the answer. */
  readonly shown: Observed
  /** The state of the task that the path names, as far as any answer has shown it. */
  readonly known: Status | undefined
}

/** The states of tasks that a client read in an answer, as the pipeline would note them. */
export function observedStates(
  { operation, namedTask: id }: Exchange,
  { status, shown, known }: ObservedAnswer,
): Observed | undefined {
  const isGood = isSuccess(status)
  switch (operation?.id) {
    case 'tasks.list':
      return isGood ? shown.map(({ id, status }) => ({ id, status })) : undefined
    case 'tasks.create':
      return isGood ? shown.slice(0, 1).map(asCreated) : undefined
    case 'tasks.retrieve':
    case 'tasks.stream':
    case 'tasks.result':
    case 'tasks.cancel':
      return id === undefined || !(isGood || SHOWS_STATE.includes(operation.id))
        ? undefined
        : [{ id, status: known ?? IMPLIED[operation.id] }]
    default:
      return undefined
  }
}

/** The operations whose rejections depend on the state of the task. */
const SHOWS_STATE: readonly string[] = ['tasks.result', 'tasks.cancel']

/** The state that a good answer implies if it shows none. A mistake here must not accuse the client. */
const IMPLIED = {
  'tasks.retrieve': 'processing',
  'tasks.stream': 'succeeded',
  'tasks.result': 'succeeded',
  'tasks.cancel': 'canceled',
} as const

/** A task that has not ended is one that the client must poll, whether it waits or runs. */
function asCreated({ id, status }: Observed[number]): Observed[number] {
  return { id, status: isTerminal(status) ? status : 'processing' }
}
