import type { JsonObject } from '../../engine/json.js'
import type { Dialect } from '../dialect.js'
import { namesOfRequired } from '../table/requests/check-present.js'
import { parseText } from '../table/template/parse.js'
import { type CreateForm, createForms } from './create-form.js'
import { createDraft } from './create-request.js'
import type { Wanted } from './service-request.js'

const PROMPT = 'a lighthouse at dawn'
const FILE = 'https://example.com/speech.mp3'

/** An order for the first operation of a service that creates tasks, with the fields that it requires. */
export function exampleOrder(dialect: Dialect): Wanted {
  const [form] = createForms(dialect)
  if (form === undefined) throw new Error(`The dialect ${dialect.name} creates no tasks.`)
  const { kind, path } = form
  const order = { model: exampleModel(form), webhookUrl: undefined, kind, extra: { path } }
  return { ...order, input: exampleInput(form, order) }
}

/** The input of an order for an operation, with the fields that the operation requires. */
export function exampleInput(
  form: CreateForm,
  order: Pick<Wanted, 'model' | 'kind'>,
  prompt: string = PROMPT,
): JsonObject {
  const input = promptInput(order.kind, prompt)
  const { body } = createDraft(form, { ...order, webhookUrl: undefined, input })
  const missing = namesOfRequired(form.require ?? []).filter((field) => !Object.hasOwn(body, field))
  const required = missing.map((field) => [field, /ur[il]/i.test(field) ? FILE : prompt])
  return { ...input, ...Object.fromEntries(required) }
}

function promptInput(kind: string | undefined, prompt: string): JsonObject {
  if (kind === 'transcript') return { audio_url: FILE }
  return kind === 'llm' ? { messages: [{ role: 'user', content: prompt }] } : { prompt }
}

/** The model that an operation uses by default; else one of its kind. */
export function exampleModel({
  model = '{{body.model}}',
  kind = 'image',
}: Pick<CreateForm, 'model'> & { readonly kind?: string | undefined }): string {
  const [first, ...rest] = parseText(model)
  if (typeof first === 'string') return first
  const values = (rest.length === 0 ? (first ?? []) : []).map(({ value }) => value)
  const fallback = values.find((value) => 'constant' in value)
  if (fallback !== undefined) return String(fallback.constant)
  // One segment of a path has no slash.
  const isSegment = values.some((value) => 'name' in value && value.name === 'path')
  return isSegment ? `acme-${kind}-1` : `acme/${kind}-1`
}
