import type { Task } from '../tasks/task.js'

/** Renders output files. A pure function of the task and the index of the file. */
export interface Renderer {
  /** Renders one file. The same task and index always give the same bytes. */
  render(task: Task, file: number): Promise<Uint8Array<ArrayBuffer>>
}
