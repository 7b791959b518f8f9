import { bytesOfResult, bytesOfTask } from '../../../engine/memory/bytes-of.js'
import { Recent } from '../../../engine/recent.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { OutputSettings } from '../../../scenario/model/scenario.js'
import type { Call } from '../../call.js'
import { mountForClient, type OperationPlace } from '../requests/operation-place.js'

/** A text about a task. */
interface TaskText {
  readonly text: string
  /**
   * Until when it stays the same if the task does not change, in epoch milliseconds; 0 if it may change at any time, and
   * infinite if it only changes with the task.
   */
  readonly until: number
}

interface CachedText {
  written: TaskText
  /** The other values that determine the text. */
  readonly outputs: OutputSettings
  readonly origin: string
  readonly mount: string
}

/** How a dialect writes the text about a task. */
export interface TextWriter {
  write(call: Call, task: Task, place: OperationPlace): TaskText
  /** Whether the text contains URLs of the service, which begin with `{{base}}`. */
  readonly hasUrls: boolean
}

/** In characters. */
const LONGEST_CACHED = 4_000
/** In bytes. The cache keeps tasks that may have been evicted, and the memory budget does not count them. */
const LARGEST_TASK = 5_000

/**
 * Caches the texts of a writer, because clients poll the same unchanged task repeatedly. Tasks are immutable, and all
 * other values that determine a text are compared, so that operations at different places can share the cache.
 */
export function cachedText({
  write,
  hasUrls,
}: TextWriter): (call: Call, task: Task, place: OperationPlace) => string {
  const texts = new Recent<Task, CachedText>()
  return (call, task, place) => {
    const { sim, request } = call
    const origin = hasUrls || task.result !== undefined ? request.origin : ''
    const mount = hasUrls ? mountForClient(call, place) : ''
    const { outputs } = sim.scenario
    const known = texts.get(task)
    if (known?.outputs === outputs && known.origin === origin && known.mount === mount) {
      if (sim.clock.now() >= known.written.until) known.written = write(call, task, place)
      return known.written.text
    }
    const written = write(call, task, place)
    if (written.text.length <= LONGEST_CACHED && isSmall(task))
      texts.set(task, { written, outputs, origin, mount })
    return written.text
  }
}

function isSmall(task: Task): boolean {
  return bytesOfTask(task, task.inputBytes) + bytesOfResult(task) <= LARGEST_TASK
}
