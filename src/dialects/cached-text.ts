import { Recent } from '../engine/recent.js'
import type { Task } from '../engine/tasks/task.js'
import type { OutputSettings } from '../scenario/model/scenario.js'
import type { Call } from './call.js'

interface CachedText {
  readonly text: Text
  /** The other values that determine the text. */
  readonly outputs: OutputSettings
  readonly origin: string
  readonly path: string
  readonly until: number
}

/** A text about a task; a function that writes it, if it changes while the task and its output URLs do not. */
type Text = string | ((call: Call) => string)

/** How a dialect writes the text about a task. */
export interface TextWriter {
  write(call: Call, task: Task): Text
  /** Whether the text contains URLs of the service, whose start depends on the path of the request. */
  readonly hasUrls: boolean
}

const LONGEST_CACHED = 4_000

/**
 * Caches the texts of a writer, because clients poll the same unchanged task repeatedly. Tasks are immutable, and all
 * other values that determine a text are compared.
 */
export function cachedText({ write, hasUrls }: TextWriter): (call: Call, task: Task) => string {
  const texts = new Recent<Task, CachedText>()
  return (call, task) => {
    const { sim, request } = call
    const origin = hasUrls || task.result !== undefined ? request.origin : ''
    const path = hasUrls ? request.path : ''
    const now = sim.clock.now()
    const { outputs } = sim.scenario
    const known = texts.get(task)
    if (known !== undefined && known.outputs === outputs && known.origin === origin && known.path === path) {
      if (now < known.until) return written(known.text, call)
    }
    const text = write(call, task)
    const current = written(text, call)
    if (current.length <= LONGEST_CACHED)
      texts.set(task, { text, outputs, origin, path, until: sim.outputs.sameUntil(task, now) })
    return current
  }
}

function written(text: Text, call: Call): string {
  return typeof text === 'string' ? text : text(call)
}
