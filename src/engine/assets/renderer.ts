import type { Task } from '../tasks/task.js'

/** Makes the bytes of output files. A pure function of the task and the file's place. */
export interface Renderer {
  /** The bytes of one file: the same for the same task and place, whenever it is asked. */
  render(task: Task, file: number): Promise<Uint8Array<ArrayBuffer>>
}
