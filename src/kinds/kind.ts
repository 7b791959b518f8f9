import type { Limits, MediaSpec } from '../engine/assets/media-spec.js'
import type { Awaitable } from '../engine/awaitable.js'
import type { JsonObject } from '../engine/json.js'
import type { Production } from '../engine/tasks/kinds.js'
import type { Task } from '../engine/tasks/task.js'
import type { Parameters } from './parameters.js'

/** One kind of models: how a task is ordered, checked, produced and described. */
export interface KindDefinition<Name extends string = string> {
  /** Its name in scenarios and in the control API, such as `image`. */
  readonly name: Name
  /** Its models, as the start of a sentence: `Image models`. */
  readonly models: string
  /** The shortest interval between polls that the service recommends, in milliseconds. */
  readonly pollInterval: number
  /** A model of this kind and an input, for previews. */
  readonly example: { readonly model: string; readonly input: JsonObject }
  /** Whether the fields of an input reveal that its model has this kind. */
  recognizes?(input: JsonObject): boolean
  /**
   * Checks the input of a task.
   * @param isLenient whether a simpler form of the input is accepted as well
   * @throws InputError if the input is not valid
   */
  check?(input: JsonObject, isLenient: boolean): void
  /**
   * Reads the media that an input requests. A kind without media has no such function.
   * @throws InputError if a value is outside the limits and the model is not lenient
   */
  order?(parameters: Parameters, limits: Limits): MediaSpec
  /** Produces the result of a task. Without `output`, the result needs {@link outputOf}. */
  produce(task: Task): Awaitable<Production>
  /** The output of a task whose result consists of files. */
  outputOf?(files: number, urlOf: (file: number) => string): JsonObject
}
