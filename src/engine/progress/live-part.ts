import type { LiveTasks, LiveTasksOptions } from './live-tasks.js'

/** The code of {@link LiveTasks}. */
export type LiveTasksCode = typeof LiveTasks

/** The wire formats that show tasks before their end. */
export interface LiveFormats {
  /** The code that does so; undefined if a format shows nothing before the end. */
  liveTasks(format: string): LiveTasksCode | undefined
}

/** The part of a simulator that shows tasks before their end. Its code comes with the wire formats that need it. */
export class LivePart {
  /** The part, once it has been used. */
  loaded: LiveTasks | undefined
  readonly #options: LiveTasksOptions
  readonly #formats: LiveFormats

  constructor(options: LiveTasksOptions, formats: LiveFormats) {
    this.#options = options
    this.#formats = formats
  }

  /** Returns the part for the tasks of a wire format; undefined if the format shows nothing before their end. */
  of(format: string): LiveTasks | undefined {
    const code = this.#formats.liveTasks(format)
    return code && this.by(code)
  }

  /** Returns the part, built with its code if this is its first use. */
  by(Code: LiveTasksCode): LiveTasks {
    this.loaded ??= new Code(this.#options)
    return this.loaded
  }
}
