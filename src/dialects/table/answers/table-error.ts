import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { settableHeaders } from '../../../engine/requests/headers.js'
import type { Rejection, Reply } from '../../../exchange/exchange.js'
import type { CodeForm, ErrorForm } from '../dialect-table.generated.js'
import { merged } from '../tasks/task-template.js'
import { compileTemplate, type Read, type Values } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { headersWriter } from './headers-writer.js'

interface ErrorScope {
  readonly rejection: Rejection
  readonly status: number
  readonly requestId: string
  readonly type: JsonValue | undefined
}

/** The values in the template of a rejection. */
export const ERROR_VALUES = {
  status: ({ status }) => status,
  code: ({ rejection }) => rejection.ownCode ?? rejection.code,
  own_code: ({ rejection }) => rejection.ownCode,
  message: ({ rejection }) => rejection.message,
  param: ({ rejection }) => rejection.param,
  given: ({ rejection }) => rejection.given,
  type: ({ type }) => type,
  details: ({ rejection }) => rejection.details as JsonValue | undefined,
  request_id: ({ requestId }) => requestId,
} satisfies Values<ErrorScope>

/** The type of rejections with a status: its own one, or else that of a 400 or a 500. */
export function typeOf({ types = {} }: Pick<ErrorForm, 'types'>, status: number): JsonValue | undefined {
  return types[status] ?? (status < 400 ? undefined : types[status < 500 ? 400 : 500])
}

/** Returns a function that writes rejections in the form of a table. */
export function errorWriter(form: ErrorForm): (rejection: Rejection, requestId: string) => Reply {
  const { content_type: contentType = 'application/json', by_code: byCode = {} } = form
  const addHeaders = headersWriter<ErrorScope>(form.headers, ERROR_VALUES)
  const readers = new Map<string, Read<ErrorScope>>()
  const readerOf = (status: number, code: string) => {
    const key = `${status} ${Object.hasOwn(byCode, code) ? code : ''}`
    const read = readers.get(key) ?? compileTemplate<ErrorScope>(bodyOf(form, status, code), ERROR_VALUES)
    readers.set(key, read)
    return read
  }
  return (rejection, requestId) => {
    const code = namedCode(form, rejection)
    const { status: ofForm, headers: ofCode } = codeForm(form, code)
    const status = rejection.ownStatus ?? ofForm ?? rejection.status
    const scope = { rejection, status, requestId, type: typeOf(form, status) }
    const headers: Record<string, string> = { 'content-type': contentType }
    addHeaders?.(scope, headers)
    return {
      status,
      headers: { ...headers, ...(ofCode && settableHeaders(ofCode)), ...rejection.headers },
      body: JSON.stringify(readerOf(status, code)(scope) ?? {}),
    }
  }
}

/** What `by_code` names: the code of a rejection in the words of the service, its cause, or its code. */
function namedCode({ by_code: byCode = {} }: ErrorForm, { code, cause, ownCode }: Rejection): string {
  return [ownCode, cause].find((name) => name !== undefined && Object.hasOwn(byCode, name)) ?? code
}

function codeForm({ by_code: byCode = {} }: ErrorForm, code: string): CodeForm {
  return (Object.hasOwn(byCode, code) && byCode[code]) || {}
}

function bodyOf(form: ErrorForm, status: number, code: string): Template {
  return withCode(form.by_status?.[status] ?? form.body, codeForm(form, code))
}

function withCode(usual: Template, { body }: CodeForm): Template {
  if (body === undefined) return usual
  return isJsonObject(usual) && isJsonObject(body) ? merged(usual, body) : body
}

/** The templates of all bodies of rejections. */
export function errorBodies({ body, by_status: byStatus = {}, by_code: byCode = {} }: ErrorForm): Template[] {
  const usual = [body, ...Object.values(byStatus)]
  return [...usual, ...Object.values(byCode).flatMap((code) => usual.map((each) => withCode(each, code)))]
}
