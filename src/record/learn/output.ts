import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { maskPatterns } from '../../engine/secret-patterns.js'
import { FILE_MARK } from '../../engine/tasks/task.js'
import { countMarks, kindNamed } from '../../kinds/built-in-kinds.js'
import type { ObservedTask } from '../history/observed-task.js'
import { isSecretField } from '../recording/redact/secret-names.js'

/** The input and the output of a successful task. */
export interface OutputSample {
  readonly input: JsonObject
  readonly output: JsonObject
}

const KEPT = 40
/** Characters of JSON. A template of a longer output would be of no use. */
const LONGEST = 10_000

/** The first outputs of successful tasks. */
export class OutputSamples {
  readonly #kept: OutputSample[] = []

  get all(): readonly OutputSample[] {
    return this.#kept
  }

  add({ status, input = {}, output }: ObservedTask): void {
    if (status !== 'succeeded' || output === undefined || this.#kept.length >= KEPT) return
    if (JSON.stringify(output).length <= LONGEST) this.#kept.push({ input, output })
  }
}

/** Fewer outputs may be equal by chance. */
const MIN_OUTPUTS = 5
/** The fields of outputs whose content the kind produces. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  llm: ['finish_reason', 'message', 'usage'],
  transcript: ['srt', 'text', 'vtt', 'words'],
}

/**
 * The template of the outputs of a model.
 * @returns undefined if the outputs have the form that the kind produces, or no form in common
 */
export function learnOutput(kind: string, samples: readonly OutputSample[]): JsonObject | undefined {
  if (samples.length < MIN_OUTPUTS || samples.every(({ output }) => isOwn(kind, output))) return undefined
  const template = outputTemplate(samples)
  // Only kinds of media produce files.
  if (template === undefined || (countMarks(template) > 0 && kindNamed(kind)?.outputOf === undefined))
    return undefined
  return template
}

function isOwn(kind: string, output: JsonObject): boolean {
  const own = kindNamed(kind)?.outputOf?.(1, () => '')
  const fields = own === undefined ? OWN_FIELDS[kind] : Object.keys(own)
  if (fields === undefined) return JSON.stringify(output) === '{"result":{"status":"completed"}}'
  return Object.keys(output).sort().join() === fields.join()
}

/** Thrown if outputs differ so much that no template has their form. */
class NoTemplate extends Error {}

/** The text in place of texts that differ from task to task, which may be private. */
const TEXT = 'text'
const LONGEST_CONSTANT = 100

/**
 * The template that outputs have in common: URLs become `{{file}}`, values that equal a field of the input become
 * `{{input.NAME}}`, and equal values stay. Of numbers that differ, the first one stays; texts that differ become "text".
 * @returns undefined if the outputs have different fields, or lists of different lengths
 */
function outputTemplate(samples: readonly OutputSample[]): JsonObject | undefined {
  const inputs = samples.map(({ input }) => input)
  try {
    const template = common(
      samples.map(({ output }) => output),
      inputs,
    )
    return isJsonObject(template) ? template : undefined
  } catch (error) {
    if (error instanceof NoTemplate) return undefined
    throw error
  }
}

function common(values: readonly JsonValue[], inputs: readonly JsonObject[]): JsonValue {
  const [first = null] = values
  if (values.every(isUrl)) return FILE_MARK
  if (values.every(Array.isArray)) return commonList(values as JsonValue[][], inputs)
  if (values.every(isJsonObject)) return commonObject(values, inputs)
  if (values.some((value) => typeof value === 'object' && value !== null)) throw new NoTemplate()
  if (values.every((value) => value === first)) return constant(first)
  return fieldWith(values, inputs) ?? (typeof first === 'string' ? TEXT : first)
}

function commonList(lists: readonly JsonValue[][], inputs: readonly JsonObject[]): JsonValue {
  const [{ length } = []] = lists
  if (lists.some((list) => list.length !== length)) throw new NoTemplate()
  return Array.from({ length }, (_, index) =>
    common(
      lists.map((list) => list[index] ?? null),
      inputs,
    ),
  )
}

function commonObject(objects: readonly JsonObject[], inputs: readonly JsonObject[]): JsonValue {
  const names = Object.keys(objects[0] ?? {})
  const isEqual = objects.every((object) => Object.keys(object).sort().join() === [...names].sort().join())
  if (!isEqual) throw new NoTemplate()
  return Object.fromEntries(
    names.map((name) => {
      const values = objects.map((object) => object[name] ?? null)
      return [name, isSecretField(name) ? withoutText(values[0]) : common(values, inputs)]
    }),
  )
}

/** The value of a field that holds a secret, such as a token. */
function withoutText(value: JsonValue = null): JsonValue {
  return typeof value === 'number' || typeof value === 'boolean' ? value : TEXT
}

/** A reference to the field of the inputs that has these values. */
function fieldWith(values: readonly JsonValue[], inputs: readonly JsonObject[]): string | undefined {
  const field = Object.keys(inputs[0] ?? {}).find((name) =>
    values.every((value, index) => inputs[index]?.[name] === value),
  )
  return field === undefined ? undefined : `{{input.${field}}}`
}

/** A long word with digits may be a key or an id, even if it is always the same. */
const SECRET = /(?=[\w-]*\d)[\w-]{16,}/

/** A long text may be private even if it is always the same. */
function constant(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value
  const isSecret = SECRET.test(value) || maskPatterns(value) !== value
  return value.length > LONGEST_CONSTANT || value.includes('{{') || isSecret ? TEXT : value
}

function isUrl(value: JsonValue): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value)
}
