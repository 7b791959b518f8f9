import type { Dialect } from '../../dialects/dialect.js'
import type { DialectOperation } from '../../dialects/table/dialect-table.generated.js'
import type { SeenExchange } from '../exchanges/seen-exchange.js'
import {
  type ExpectedAnswer,
  expectedAnswers,
  expectedRejections,
  FILE_TYPE,
  mediaType,
} from './expected-answers.js'
import { type Fit, fit, joined, type Misfit, misfit, nearest } from './fit.js'

type SeenAnswer = NonNullable<SeenExchange['answer']>

/** How an answer differs from the nearest one that a dialect can give. */
interface AnswerFit extends Fit {
  readonly state: string | undefined
}

/** Counts less than any other difference: an answer with the fields of another status has the wrong status. */
const OTHER_STATUS = 0.5
/** An answer of any form is the nearest one only if the others are further away than this. */
const ANY_FORM = 2.5
const MISSING_HEADER = 1
/** JSON under another name. */
const OTHER_JSON_TYPE = 2
/** Counts more than a word: an answer is not a stream because its fields differ. */
const OTHER_TYPE = 200

/** Finds for each answer the nearest one that a dialect can give to the same request. */
export class AnswerFits {
  readonly #dialect: Dialect
  readonly #isKept: (header: string) => boolean
  readonly #answers = new Map<DialectOperation, readonly ExpectedAnswer[]>()
  readonly #rejections = new Map<string, readonly ExpectedAnswer[]>()

  /** @param isKept whether the exchanges have a header, by its name in lower case */
  constructor(dialect: Dialect, isKept: (header: string) => boolean) {
    this.#dialect = dialect
    this.#isKept = isKept
  }

  /** @param hasUnknownBody whether only the status and the headers can be compared */
  of(operation: DialectOperation, answer: SeenAnswer, hasUnknownBody: boolean): AnswerFit {
    const { status } = answer
    const isOfTask = !WITHOUT_TASK.includes(operation.action)
    const rejections = [
      ...this.#rejectionsWith(status, isOfTask),
      ...(status < 400 ? this.#anyRejections() : []),
    ]
    const all = [...this.#answersTo(operation), ...rejections].map((each) => ({
      ...this.#fit(each, answer, hasUnknownBody),
      state: each.state,
      hasStatus: each.status === answer.status,
      distanceOfAny: isOfAnyForm(each) ? ANY_FORM : 0,
    }))
    const best = nearest(all.filter(({ hasStatus }) => hasStatus))
    // The content of an answer with another status tells which answer it is, as long as it has exactly its form.
    const exact = nearest(all.filter(({ hasStatus, misfits }) => !hasStatus && misfits.length === 1))
    const isOther =
      best === undefined ||
      (exact !== undefined && exact.distanceOfAny < best.distance && best.misfits.length > 0)
    return (isOther ? exact : best) ?? nearest(all) ?? { misfits: [], distance: 0, state: undefined }
  }

  #answersTo(operation: DialectOperation): readonly ExpectedAnswer[] {
    const known = this.#answers.get(operation) ?? expectedAnswers(this.#dialect, operation)
    this.#answers.set(operation, known)
    return known
  }

  #rejectionsWith(status: number, namesTask = true): readonly ExpectedAnswer[] {
    const key = `${status} ${namesTask}`
    const known = this.#rejections.get(key) ?? expectedRejections(this.#dialect, status, namesTask)
    this.#rejections.set(key, known)
    return known
  }

  /** The rejections that have another status. */
  #anyRejections(): readonly ExpectedAnswer[] {
    return this.#rejectionsWith(400).map((each) => ({ ...each, status: undefined }))
  }

  #fit(expected: ExpectedAnswer, answer: SeenAnswer, hasUnknownBody: boolean): Fit {
    const status = expected.status === answer.status ? [] : [statusFit([expected], answer)]
    const type = typeFit(expected, answer)
    const missing = expected.headers.filter(
      (name) => this.#isKept(name) && answer.headers[name] === undefined,
    )
    const headers = missing.map((name) => headerFit(name, 'a value', 'nothing', MISSING_HEADER))
    const isUnknown = hasUnknownBody || (type !== undefined && answer.body === undefined)
    const body = isUnknown ? undefined : bodyFit(expected, answer)
    return joined([...status, type, ...headers, body].filter((each) => each !== undefined))
  }
}

/** The actions whose requests name no task. */
const WITHOUT_TASK: readonly string[] = ['list', 'fixed', 'count']

/** Whether the dialect does not say which fields an answer has. */
function isOfAnyForm({ body, contentType }: ExpectedAnswer): boolean {
  return contentType?.endsWith('json') === true && (body === undefined || Object.keys(body).length === 0)
}

function statusFit(expected: readonly ExpectedAnswer[], answer: SeenAnswer): Fit {
  const statuses = [...new Set(expected.map(({ status }) => status))]
  const known = statuses.filter((status) => status !== undefined)
  const text = known.length === 0 ? 'a status from 400 up' : known.join(' or ')
  const difference: Misfit = { kind: 'status', field: 'status', expected: text, got: String(answer.status) }
  return { misfits: [difference], distance: OTHER_STATUS }
}

/** @returns undefined if the type of the content is the expected one, or is not known */
function typeFit({ contentType }: ExpectedAnswer, { headers, body }: SeenAnswer): Fit | undefined {
  const { 'content-type': type } = headers
  const got = type === undefined ? undefined : mediaType(type)
  if (contentType === undefined || got === contentType) return undefined
  if (contentType === FILE_TYPE && body === undefined && got?.endsWith('json') !== true) return undefined
  // Some recordings have no headers.
  if (got === undefined && body !== undefined) return undefined
  const isJson = [contentType, got].every((each) => each?.endsWith('json') === true)
  return headerFit('content-type', contentType, got ?? 'nothing', isJson ? OTHER_JSON_TYPE : OTHER_TYPE)
}

function headerFit(name: string, expected: string, got: string, distance: number): Fit {
  return { misfits: [{ kind: 'header', field: name, expected, got }], distance }
}

function bodyFit({ contentType, body: schema }: ExpectedAnswer, { body }: SeenAnswer): Fit | undefined {
  if (contentType === undefined)
    return body === undefined ? undefined : misfit('unknown', '', 'no body', 'a body')
  if (schema === undefined) return undefined
  return body === undefined ? misfit('missing', '', 'a body', 'nothing') : fit(schema, body)
}
