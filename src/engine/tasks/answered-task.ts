import { isJsonObject, type JsonObject, type JsonValue } from '../json.js'
import type { Status } from './task.js'

/** The names of the fields in answers about tasks. */
export interface AnswerShape {
  /** The field of a page that lists tasks. */
  readonly list: string
  /** The field of an answer about one task that holds the task; undefined if the answer is the task. */
  readonly task?: string | undefined
  /** The fields of answers to create requests that hold the new task, where they differ from `task`. */
  readonly created: readonly string[]
  /**
   * The fields of a task's id, or of a path whose last segment is the id: one for each type of tasks, and for each answer
   * to a create request, that differs.
   */
  readonly ids: readonly string[]
  /** The field of a task's state. */
  readonly status: string
  /** The fields of the state in answers without that one. */
  readonly otherStatuses?: readonly string[] | undefined
  /** The states by the words of the service. */
  readonly words: Readonly<Record<string, Status>>
  /**
   * The fields that a task has in a state only, if no field has its state: an operation with `done` and `error` has
   * failed, for example. The first entry applies whose fields the task has.
   */
  readonly marks?: readonly StateMarks[] | undefined
  /** Whether only requests for the result of a task show its output. */
  readonly hidesOutput?: boolean | undefined
}

/** The fields by which a task shows its state. */
interface StateMarks {
  readonly status: Status
  readonly paths: readonly FieldPath[]
}

/** The fields from the root of a value to a value in it. */
export type FieldPath = readonly string[]

/** The id and the state of a task, as far as an answer says them. */
interface AnsweredTask {
  readonly id: string | undefined
  readonly status: Status | undefined
  /** The word of its state, if the dialect does not know it. */
  readonly unknownWord?: string | undefined
}

/** The tasks in an answer of a service: the task that it is or contains, or the tasks that it lists. */
export function answeredTasks(body: JsonObject, shape: AnswerShape): JsonObject[] {
  const listed = body[shape.list]
  const answers = Array.isArray(listed) ? listed.filter(isJsonObject) : [body]
  return answers.map((answer) => taskInAnswer(answer, shape))
}

/** The field of an answer that holds its task; undefined if the answer is the task. */
export function holderIn(answer: JsonObject, { task, created }: AnswerShape): string | undefined {
  const fields = task === undefined ? created : [task, ...created]
  return fields.find((field) => isJsonObject(answer[field]))
}

/** The task in an answer about one, or in an item of a list. */
export function taskInAnswer(answer: JsonObject, shape: AnswerShape): JsonObject {
  const inner = answer[holderIn(answer, shape) ?? '']
  return isJsonObject(inner) ? inner : answer
}

/** Reads a task in an answer of a service. */
export function answeredTask(task: Readonly<Record<string, unknown>>, shape: AnswerShape): AnsweredTask {
  const id = idOf(task, shape)
  return {
    id: id && lastSegment(id),
    status: statusOf(task, shape),
    unknownWord: unknownWordOf(task, shape),
  }
}

/** The id of a task in a path that ends with it. */
export function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}

function idOf(task: Readonly<Record<string, unknown>>, { ids }: AnswerShape): string | undefined {
  const field = ids.find((each) => typeof task[each] === 'string')
  return field === undefined ? undefined : String(task[field])
}

/** Whether a task is of the main type, of which only `marks` tell the state. */
function hasOnlyMarks(task: Readonly<Record<string, unknown>>, { ids: [main = ''], marks }: AnswerShape) {
  return marks !== undefined && task[main] !== undefined
}

/** The word of the state in an answer; undefined if it has none. */
export function wordIn(
  task: Readonly<Record<string, unknown>>,
  { status, otherStatuses = [] }: AnswerShape,
): unknown {
  return [status, ...otherStatuses].map((field) => task[field]).find((each) => each !== undefined)
}

function statusOf(task: Readonly<Record<string, unknown>>, shape: AnswerShape): Status | undefined {
  const { words, marks = [] } = shape
  const word = wordIn(task, shape)
  if (typeof word === 'string' && Object.hasOwn(words, word)) return words[word]
  if (!hasOnlyMarks(task, shape)) return undefined
  return marks.find(({ paths }) => paths.every((path) => hasPath(task, path)))?.status ?? 'processing'
}

function unknownWordOf(task: Readonly<Record<string, unknown>>, shape: AnswerShape): string | undefined {
  const { status, words } = shape
  const word = task[status]
  if (typeof word !== 'string' || hasOnlyMarks(task, shape) || idOf(task, shape) === undefined)
    return undefined
  return Object.hasOwn(words, word) ? undefined : word
}

/** Whether a value has something, or null, at a path. */
export function hasPath(value: unknown, [field, ...rest]: FieldPath): boolean {
  if (field === undefined) return value !== undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return false
  return hasPath((value as Readonly<Record<string, unknown>>)[field], rest)
}

/** The paths of the values in mappings of mappings, without the mappings that `isOptional` selects. */
export function leafPaths(
  mapping: JsonObject,
  isOptional: (mapping: JsonObject) => boolean,
  before: FieldPath = [],
): readonly FieldPath[] {
  return Object.entries(mapping).flatMap(([field, value]: [string, JsonValue]) => {
    const path = [...before, field]
    if (!isJsonObject(value)) return [path]
    return isOptional(value) ? [] : leafPaths(value, isOptional, path)
  })
}
