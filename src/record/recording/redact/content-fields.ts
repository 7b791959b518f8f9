import type { Dialect } from '../../../dialects/dialect.js'
import { createForms } from '../../../dialects/requests/create-form.js'
import type { DialectTable } from '../../../dialects/table/dialect-table.generated.js'
import { parseText } from '../../../dialects/table/template/parse.js'
import { UsageError } from '../../../engine/errors.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { hashOf, redactedText } from '../redacted-text.js'

/** The names of fields and the indexes that lead to a value. */
export type FieldPath = readonly string[]

/** Where a value comes from. */
export type Side = 'request' | 'answer' | 'error'

/** The values of templates that are inputs or outputs of tasks. */
const CONTENT =
  /^(?:input|output|result|results|files?|file_list|video|image|audio|text|pieces|part|kept|body|log_lines|url|name|prompt)(?:\.|$)/
/** Texts that tell no more than a number does: `1080p`, `16:9`, `1280x720`. */
const NUMERIC = /^\d{1,5}(?:[.:x*]\d{1,5})*[a-z]{0,3}$/i
const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const FILE = /^(?:https?:|data:)/i
const EXTENSION = /\.[a-z][a-z0-9]{1,4}(?=$|[?#])/i
/** The URL of an operation. */
const BASE = /^\{\{\s*base\b/
const MEDIA_TYPE = /^data:\w+\/([a-z0-9]{1,5})/i

/**
 * Tells which texts in bodies are inputs and outputs, and which are facts about tasks: ids, states, times, models and
 * errors. The templates of the dialect decide. A text that no template describes counts as an input or output.
 */
export class ContentFields {
  /** The names of the fields of answers. */
  readonly #facts = new Set<string>()
  readonly #contents = new Set<string>()
  /** The paths of fields with facts, which may be below a field whose name means content elsewhere. */
  readonly #factPaths = new Set<string>()
  /** The fields of requests with the model. */
  readonly #models = new Set(['model'])

  constructor(dialect: Dialect) {
    const { ids, status } = dialect.answers
    this.#learn(JSON.parse(JSON.stringify(answersIn(dialect.table))), [])
    for (const name of this.#contents) this.#facts.delete(name)
    for (const name of [...ids, status]) {
      this.#facts.add(name)
      this.#contents.delete(name)
    }
    for (const { model = '' } of createForms(dialect))
      for (const [, name = ''] of model.matchAll(/\bbody\.(\w+)/g)) this.#models.add(name)
  }

  /** Whether a text is an input or an output. */
  isContent(text: string, path: FieldPath, side: Side): boolean {
    if (text === '' || NUMERIC.test(text) || TIME.test(text) || side === 'error') return false
    if (side === 'request') return !this.#models.has(path[0] ?? '')
    const names = path.filter((name) => !/^\d+$/.test(name))
    if (names.includes('error') || this.#factPaths.has(names.join('.'))) return false
    if (names.some((name) => this.#contents.has(name))) return true
    return !this.#facts.has(names.at(-1) ?? '')
  }

  /** What replaces such a text. A file keeps the form of a URL in answers, because prices depend on their number. */
  redact(text: string, side: Side, salt: string): string {
    if (side === 'request' || !FILE.test(text)) return redactedText(salt, text)
    const [, type] = MEDIA_TYPE.exec(text) ?? []
    const extension = type === undefined ? (EXTENSION.exec(text)?.[0] ?? '') : `.${type}`
    return `https://redacted.invalid/${hashOf(salt, text, 16)}${extension}`
  }

  #learn(template: JsonValue, path: FieldPath): void {
    if (typeof template === 'string') this.#add(template, path)
    else if (Array.isArray(template)) for (const item of template) this.#learn(item, path)
    else if (isJsonObject(template))
      for (const [name, inner] of Object.entries(template)) this.#learn(inner, [...path, name])
  }

  #add(template: string, path: FieldPath): void {
    const name = path.at(-1) ?? ''
    const operands = parseText(template).flatMap((part) => (typeof part === 'string' ? [] : part))
    const isContent = operands.some(
      ({ value }) => !('constant' in value) && CONTENT.test([value.name, ...value.steps].join('.')),
    )
    if (isContent && !BASE.test(template)) this.#contents.add(name)
    else {
      this.#facts.add(name)
      if (operands.length > 0 && path.length > 1) this.#factPaths.add(path.join('.'))
    }
  }
}

/** The templates of answers and webhooks. */
function answersIn({
  task,
  statuses,
  objects,
  results,
  file,
  log_line,
  upload,
  error,
  webhook,
  operations,
}: DialectTable) {
  const answers = operations.map((operation) => ({
    answer: 'answer' in operation ? operation.answer : undefined,
    item: 'item' in operation ? operation.item : undefined,
    states: 'states' in operation ? operation.states : undefined,
    events: 'events' in operation ? operation.events : undefined,
  }))
  return [
    task,
    statuses,
    objects,
    results,
    file,
    log_line,
    upload,
    error.body,
    webhook?.body,
    webhook?.events,
    answers,
  ]
}

const ANY = '*'

/** The fields whose values the user redacts, such as `input.prompt` or `messages.*.content`. */
export class RedactedFields {
  readonly #paths: readonly FieldPath[]

  /** @throws UsageError if one of them has no form that can be read */
  constructor(texts: readonly string[]) {
    this.#paths = texts.map(readFieldPath)
  }

  /** Whether a value of a request is at such a path. */
  isInRequest(path: FieldPath): boolean {
    return this.#paths.some((each) => each.length === path.length && endsWith(path, each))
  }

  /** Whether a value of an answer is: an answer may have the fields of the request in an object of its own. */
  isInAnswer(path: FieldPath): boolean {
    return this.#paths.some((each) => each[0] !== ANY && endsWith(path, each))
  }
}

function endsWith(path: FieldPath, end: FieldPath): boolean {
  const before = path.length - end.length
  return before >= 0 && end.every((name, index) => name === ANY || name === path[before + index])
}

function readFieldPath(text: string): FieldPath {
  const names = text.split('.')
  if (names.every((name) => name !== '') && names.some((name) => name !== ANY)) return names
  throw new UsageError(
    `${JSON.stringify(text)} is not a place whose values can be redacted. Give the names of the fields from the body, such as input.prompt or messages.*.content.`,
  )
}
