import type { NewRequest, ServiceRequestShape, WrittenRequestShape } from '../../../control/shapes.js'
import type { SchemaNode } from '../editor/completions.js'
import { promptIn } from '../format.js'
import { jsonFlaw } from '../json-flaw.js'

/** What the composer asks for, as the address has it: texts by name. A missing or empty one has its default. */
export type Order = Readonly<Record<string, string>>

/** The names of the directives. */
const DIRECTIVES = [
  'outcome',
  'error',
  'message',
  'after',
  'polls',
  'cost',
  'fault',
  'retry_after',
  'webhook',
  'webhook_delay',
] as const

/** The value of `webhook_url` for a task without a webhook of its own. */
export const NO_WEBHOOK = 'none'

type Input = WrittenRequestShape['input']

/** A field of the input that a form shows. */
export type InputField = WrittenRequestShape['fields'][number]

/** The request to the control API for an order. An input that is not a JSON object is left out. */
export function newRequestOf(order: Order): NewRequest {
  const { from, dialect, kind, model, prompt, webhook_url: url } = order
  const directives = Object.fromEntries(
    DIRECTIVES.flatMap((name) => (order[name] ? [[name, order[name]]] : [])),
  )
  const input = inputOf(order['input'] ?? '')
  return {
    ...(from && { task: from }),
    ...(dialect && { dialect }),
    ...(kind && { kind }),
    ...(model && { model }),
    ...(prompt && { prompt }),
    ...(input !== undefined && { input }),
    ...(url && { webhook_url: url === NO_WEBHOOK ? null : url }),
    ...(Object.keys(directives).length > 0 && { directives }),
  }
}

/** The input in a JSON text; undefined if it is not a JSON object. */
export function inputOf(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Why a text is not an input; undefined if it is one. */
export function inputFlaw(text: string): string | undefined {
  if (inputOf(text) !== undefined) return undefined
  const flaw = jsonFlaw(text)
  return flaw === undefined
    ? 'The input must be a JSON object, such as {"prompt": "a lighthouse at dawn"}.'
    : `This is not valid JSON: ${flaw}`
}

/** An order for another dialect or kind: it keeps the prompt, because the other fields may have no place there. */
export function changedService(order: Order, change: Order, input: Input | undefined): Order {
  const { from: _, input: __, model: ___, kind: ____, ...kept } = order
  const prompt = order['input'] === undefined && !order['from'] ? order['prompt'] : promptIn(input)
  return { ...kept, ...change, ...(prompt && { prompt }) }
}

/** The text of a field of an input, as a form shows it. */
export function fieldText(input: Input, name: string): string {
  if (name === 'messages') return promptIn(input)
  const value = input[name] ?? ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** An input with another text in a field. An empty text removes the field, except for a prompt. */
export function withField(
  input: Input,
  { name, type }: Pick<InputField, 'name' | 'type'>,
  text: string,
): Input {
  if (name === 'messages') return { ...input, messages: withLastMessage(input['messages'], text) }
  if (text === '' && name !== 'prompt') {
    const { [name]: _, ...others } = input
    return others
  }
  return { ...input, [name]: typed(type, text) }
}

function withLastMessage(messages: unknown, text: string): Input[] {
  const all = Array.isArray(messages) ? messages : []
  return [...all.slice(0, -1), { role: 'user', ...Object(all.at(-1)), content: text }]
}

function typed(type: string, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true'
  // A text that is not a number stays one, so that the service can say what it expects.
  return type === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The JSON Schema of an input with these fields. */
export function schemaOf(fields: readonly InputField[]): SchemaNode {
  const properties = fields.map(({ name, type, values }): [string, SchemaNode] => [
    name,
    { type: type === 'text' || type === 'choice' ? 'string' : type, enum: values },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** The names of the fields of an input that a form does not show. */
export function furtherFields({ input, fields }: Pick<WrittenRequestShape, 'input' | 'fields'>): string[] {
  return Object.keys(input).filter((name) => !fields.some((field) => field.name === name))
}

/** Whether a request needs an API key that only the user knows. */
export function needsKey({ headers }: ServiceRequestShape): boolean {
  return Object.values(headers).some((value) => value.includes('$API_KEY'))
}

/** What has become of a request that the page sends to the service. */
export type SentRequest =
  /** There is no answer yet. `known`: the newest task of the model before the request, by its id. */
  | { readonly state: 'held'; readonly known: string | undefined }
  /** The service rejected it, or the answer names no task. */
  | {
      readonly state: 'refused'
      readonly status: number
      readonly reason: string
      readonly requestId: string
    }
  /** There was no answer, or nothing was sent. */
  | { readonly state: 'unsent'; readonly reason: string }
