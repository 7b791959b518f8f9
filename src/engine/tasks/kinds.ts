import type { MediaSettings } from '../assets/limits.js'
import type { MediaSpec } from '../assets/media-spec.js'
import type { Awaitable } from '../awaitable.js'
import type { JsonObject } from '../json.js'
import type { Usage } from './pricing.js'
import type { Kind, Result, Task } from './task.js'

/** The result of a successful task and its consumption. */
export interface Production {
  readonly result: Result
  readonly usage: Usage
  /** The text of the output, if the model writes it piece by piece. */
  readonly text?: string | undefined
}

/** What the engine needs to know about the built-in kinds of models. */
export interface Kinds {
  /** The kind of a model that nothing else determines, by the fields of its input. */
  guess(input: JsonObject): Kind
  /**
   * Checks the input of a task.
   * @param isLenient whether a simpler form of the input is accepted as well
   * @throws InputError if the kind does not accept the input
   */
  check(kind: Kind, input: JsonObject, isLenient: boolean): void
  /**
   * Reads the media that an input requests.
   * @returns undefined if the kind is not media
   * @throws InputError if the model does not support a value and is not lenient
   */
  order(kind: Kind, input: JsonObject, settings?: MediaSettings): MediaSpec | undefined
  /** Produces the result of a task. Its files are rendered on their first download. */
  produce(task: Task): Awaitable<Production>
  /**
   * The `output` of a task.
   * @param urlOf returns the URL of a file, by its index
   * @returns undefined if the task has no result
   */
  outputOf(task: Task, urlOf: (file: number) => string): JsonObject | undefined
}
