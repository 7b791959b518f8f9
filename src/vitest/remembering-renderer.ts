import { type Renderer, scenarioFileOf } from '../engine/assets/asset.js'
import type { Task } from '../engine/tasks/task.js'

/** So many files are remembered; the tasks of a test have fewer. */
const MOST_FILES = 32

/** Renders each file once for all simulators that use it, because the runs of an exploration have the same files. */
export function rememberingRenderer(renderer: Renderer): Renderer {
  const files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return {
    render(task, file) {
      const key = keyOf(task, file)
      const known = files.get(key)
      if (known !== undefined) return known
      const rendered = renderer.render(task, file)
      const [oldest] = files.keys()
      if (files.size >= MOST_FILES && oldest !== undefined) files.delete(oldest)
      files.set(key, rendered)
      return rendered
    },
  }
}

/** What the content of a file depends on. */
function keyOf(task: Task, file: number): string {
  const { id, model, input, media } = task
  return JSON.stringify([id, file, model, input, media, scenarioFileOf(task, file)])
}
