import type { MediaSettings, MediaSpec } from '../assets/media-spec.js'
import type { Awaitable } from '../awaitable.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { Random } from '../random.js'
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
  mediaOf(kind: Kind, input: JsonObject, settings?: MediaSettings): MediaSpec | undefined
  /** Produces the result of a task. Its files are rendered on their first download. */
  produce(task: Task): Awaitable<Production>
  /**
   * The `output` of a task.
   * @param urlOf returns the URL of a file, by its index
   * @returns undefined if the task has no result
   */
  outputOf(task: Task, urlOf: (file: number) => string): JsonObject | undefined
}

/** How long outputs and their URLs are valid, in milliseconds; the simulator's defaults apply to missing fields. */
export interface OutputTimes {
  /** The validity of an output URL. */
  readonly lifetime?: number | undefined
  /** How long outputs are kept. */
  readonly retention?: number | undefined
}

/** The parts of wire formats that the engine needs to create tasks. */
export interface WireFormats {
  /** The name of the format of a task whose order names none. */
  readonly main: string
  /** How long outputs and their URLs are valid by default; undefined if the format says nothing about that. */
  outputTimes(format: string): OutputTimes | undefined
  /**
   * The start of output URLs.
   * @param origin what the client has called: scheme, host and mount path
   */
  fileOrigin(format: string, origin: string): string
  /**
   * Draws the id of a new task.
   * @param extra the values of its order that the wire format needs later
   */
  drawTaskId(format: string, random: Random, extra?: JsonObject): string
}

interface Details {
  /** The path of the invalid value, if it is a part of the field: `input.messages.0.role`. */
  readonly path?: string
  /** Further advice, which starts with a space. */
  readonly hint?: string
  /** Whether the field itself is missing. */
  readonly isMissing?: boolean
}

/** Thrown if an input has a value that its model does not support, or lacks a field. */
export class InputError extends Error {
  override readonly name = 'InputError'
  /** The invalid field, such as `input.width`. */
  readonly param: string
  readonly given: JsonValue | undefined
  /** The allowed values, worded to follow "must be". */
  readonly expected: string
  /** The path of the invalid value: the field, or a part of it. */
  readonly path: string
  /** Further advice, which starts with a space; empty if there is none. */
  readonly hint: string
  /** Whether the field is missing. */
  readonly isMissing: boolean

  constructor(
    param: string,
    given: JsonValue | undefined,
    expected: string,
    { path = param, hint = '', isMissing = false }: Details = {},
  ) {
    super(`The field \`${path}\` must be ${expected}.`)
    this.param = param
    this.given = given
    this.expected = expected
    this.path = path
    this.hint = hint
    this.isMissing = isMissing
  }
}
