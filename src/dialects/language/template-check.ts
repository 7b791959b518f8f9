import * as v from 'valibot'
import type { JsonValue } from '../../engine/json.js'
import { HEADER_FORM, HEADER_NAME, whyNotSettable } from '../../engine/requests/headers.js'
import { list, nearest } from '../../engine/suggest.js'
import { json, jsonObject } from '../../scenario/schema/forms.js'
import { CHECK_VALUES } from '../table/answers/check-rejected.js'
import { ERROR_VALUES } from '../table/answers/table-error.js'
import {
  CANCELED_VALUES,
  COUNT_VALUES,
  EVENT_VALUES,
  FIXED_VALUES,
  PART_VALUES,
  PARTS_VALUES,
  RECEIVER_LIST_VALUES,
  RECEIVER_VALUES,
  UPLOAD_LIST_VALUES,
  UPLOAD_VALUES,
} from '../table/operation-values.js'
import { PAGE_VALUES } from '../table/page-values.js'
import { REQUEST_VALUES } from '../table/requests/request-values.js'
import { FILE_URL_VALUES, FILE_VALUES, LOG_LINE_VALUES } from '../table/tasks/task-parts.js'
import { TASK_VALUES } from '../table/tasks/task-values.js'
import { namesInText, parseText, TemplateError, type TextParts } from '../table/template/parse.js'
import { SIGNATURE_VALUES } from '../table/webhooks/sign.js'
import { CONDITION_VALUES, WEBHOOK_VALUES } from '../table/webhooks/webhooks.js'

/** The number of contexts that a message names. */
const MOST_CONTEXTS = 3

/** Two different letters in a shorter name make another name. */
const LONG_NAME = 5

type Path = readonly v.IssuePathItem[]

/** A template: JSON whose texts may contain placeholders. */
export const template = (context: TemplateContext) => v.pipe(json, checkPlaceholders(context))

/** A template that is a mapping. */
export const mappingTemplate = (context: TemplateContext) => v.pipe(jsonObject, checkPlaceholders(context))

/** A text with placeholders. */
export const textTemplate = (context: TemplateContext) => v.pipe(v.string(), checkPlaceholders(context))

/** A template whose field names are the names of headers to set. */
export const headersTemplate = (context: TemplateContext) =>
  v.pipe(
    mappingTemplate(context),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      for (const [key, value] of Object.entries(dataset.value)) {
        const message = flawOfName(partsOf(key))
        if (message === undefined) continue
        addIssue({ message, path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }] })
      }
    }),
  )

/** Why a header may not have a name. What placeholders of the name contain is checked when a task is created. */
function flawOfName(parts: TextParts): string | undefined {
  const constants = parts.filter((part) => typeof part === 'string')
  if (!constants.every((part) => HEADER_NAME.test(part))) return HEADER_FORM
  return constants.length === parts.length && parts.length > 0
    ? whyNotSettable(constants.join(''))
    : undefined
}

/** The parts of a text; none if a placeholder is not valid, which is another mistake. */
function partsOf(text: string): TextParts {
  try {
    return text === '' ? [text] : parseText(text)
  } catch {
    return []
  }
}

function checkPlaceholders<Value extends JsonValue>(context: TemplateContext) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    visit(dataset.value, [], (text, path) => {
      const message = mistakeIn(text, context)
      if (message === undefined) return
      const [first, ...rest] = path
      addIssue({ message, ...(first && { path: [first, ...rest] }) })
    })
  })
}

function visit(value: JsonValue, path: Path, onText: (text: string, path: Path) => void): void {
  if (typeof value === 'string') onText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value)
    const item = { input: value, key: isList ? Number(key) : key, value: inner }
    const at = (origin: 'key' | 'value') =>
      [...path, { ...item, type: isList ? 'array' : 'object', origin } as v.IssuePathItem] as const
    if (!isList) onText(key, at('key'))
    visit(inner, at('value'), onText)
  }
}

function mistakeIn(text: string, { values }: TemplateContext): string | undefined {
  try {
    const unknown = namesInText(parseText(text)).find((name) => !values.includes(name))
    return unknown === undefined ? undefined : `unknown value \`${unknown}\`; ${helpWith(unknown, values)}`
  } catch (error) {
    if (error instanceof TemplateError) return error.message
    throw error
  }
}

/** Where a value exists, the value that is meant, or all values. */
function helpWith(unknown: string, known: readonly string[]): string {
  const contexts = Object.values(CONTEXTS).filter(({ values }) => values.includes(unknown))
  const names = contexts.slice(0, MOST_CONTEXTS).map(({ name }) => name)
  if (names.length > 0) return `it is available in ${names.join(', and in ')}`
  return nearest(unknown, known, unknown.length < LONG_NAME ? 1 : 2) ?? `expected ${list(known)}`
}

/** A context for templates in a dialect file. */
export interface TemplateContext {
  /** The fields of the file, for messages. */
  readonly name: string
  /** The values that its placeholders may name. */
  readonly values: readonly string[]
}

const { task: _, ...OWN_VALUES } = TASK_VALUES

/** All contexts for templates. A message about an unknown value names the first ones that have it. */
export const CONTEXTS = {
  task: context('`task` and `fields`', OWN_VALUES),
  answer: context('the `answer` about a task', TASK_VALUES),
  webhook: context('`webhook.body` and `webhook.headers`', WEBHOOK_VALUES),
  condition: context('`webhook.if`', CONDITION_VALUES),
  request: context('`input`, `model` and `webhook.url`', REQUEST_VALUES),
  check: context('`reject` of a request about a task', CHECK_VALUES),
  page: context('the `answer` of a list', PAGE_VALUES),
  event: context('the `events` of a stream', EVENT_VALUES),
  parts: context('the `answer` of `parts`', PARTS_VALUES),
  part: context('`part`', PART_VALUES),
  file: context('`file`', FILE_VALUES),
  fileUrl: context('`outputs.url`', FILE_URL_VALUES),
  logLine: context('`log_line`', LOG_LINE_VALUES),
  upload: context('`upload`', UPLOAD_VALUES),
  uploads: context('the `answer` of `list_uploads`', UPLOAD_LIST_VALUES),
  receiver: context('`receiver`', RECEIVER_VALUES),
  receivers: context('the `answer` of `list_receivers`', RECEIVER_LIST_VALUES),
  count: context('the `answer` of `count`', COUNT_VALUES),
  canceled: context('the `answer` of `cancel_queued`', CANCELED_VALUES),
  fixed: context('the `answer` of `fixed`', FIXED_VALUES),
  error: context('`error.body` and `error.headers`', ERROR_VALUES),
  signature: context('`webhook.signature`', SIGNATURE_VALUES),
} satisfies Readonly<Record<string, TemplateContext>>

function context(name: string, values: Readonly<Record<string, unknown>>): TemplateContext {
  return { name, values: Object.keys(values) }
}
