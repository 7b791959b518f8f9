import { bytesOfResult, bytesOfTask } from '../engine/memory/bytes-of.js'
import { Recent } from '../engine/recent.js'
import type { Task } from '../engine/tasks/task.js'
import type { OutputSettings } from '../scenario/model/scenario.js'
import type { Call } from './call.js'

/** A text about a task. */
export interface TaskText {
  readonly text: string
  /**
   * Until when it stays the same if the task does not change, in epoch milliseconds; 0 if it may change at any time, and
   * infinite if it only changes with the task.
   */
  readonly until: number
}

interface CachedText<Text> {
  written: Text
  /** The other values that determine the text. */
  readonly outputs: OutputSettings
  readonly origin: string
  readonly path: string
  readonly client: string | undefined
}

/** How a dialect writes the text about a task. */
export interface TextWriter<Text extends TaskText> {
  /**
   * Writes a text.
   * @param previous an earlier text about the same task, for the same URL, which may be updated instead
   */
  write(call: Call, task: Task, previous: Text | undefined): Text
  /** Whether the text contains URLs of the service, whose start depends on the path of the request. */
  readonly hasUrls: boolean
  /** What else in a request determines the URLs. */
  readonly clientOf?: ((call: Call) => string | undefined) | undefined
}

/** In characters. */
const LONGEST_CACHED = 4_000
/** In bytes. The cache keeps tasks that may have been evicted, and the memory budget does not count them. */
const LARGEST_TASK = 5_000

/**
 * Caches the texts of a writer, because clients poll the same unchanged task repeatedly. Tasks are immutable, and all
 * other values that determine a text are compared.
 */
export function cachedText<Text extends TaskText>({
  write,
  hasUrls,
  clientOf,
}: TextWriter<Text>): (call: Call, task: Task) => string {
  const texts = new Recent<Task, CachedText<Text>>()
  return (call, task) => {
    const { sim, request } = call
    const origin = hasUrls || task.result !== undefined ? request.origin : ''
    const path = hasUrls ? request.path : ''
    const client = clientOf?.(call)
    const { outputs } = sim.scenario
    const known = texts.get(task)
    if (
      known?.outputs === outputs &&
      known.origin === origin &&
      known.path === path &&
      known.client === client
    ) {
      if (sim.clock.now() >= known.written.until) known.written = write(call, task, known.written)
      return known.written.text
    }
    const written = write(call, task, undefined)
    if (written.text.length <= LONGEST_CACHED && isSmall(task))
      texts.set(task, { written, outputs, origin, path, client })
    return written.text
  }
}

function isSmall(task: Task): boolean {
  return bytesOfTask(task, task.inputBytes) + bytesOfResult(task) <= LARGEST_TASK
}
