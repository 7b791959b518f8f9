import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/engine/json.js'
import type { RecordingEntry } from '../../../src/record/recording/recording.js'

/** A change at one place of a recording. */
export interface Mutation {
  readonly kind: 'missing' | 'unknown' | 'type' | 'status' | 'header' | 'state' | 'event' | 'order'
  /** The number of the exchange; the first one is 1. */
  readonly exchange: number
  /** The field, with the indexes of lists. */
  readonly field: string
  /** The recording with the change. */
  apply(): readonly RecordingEntry[]
}

/** The fields of a service whose values are its own, and those that not every answer has. */
export interface Freedom {
  /** Matches inputs, outputs and other values that a dialect does not describe, or the paths of such answers. */
  readonly free: RegExp
  /** Matches the fields that can be missing: those that depend on the order, or on the time. */
  readonly optional?: RegExp
  /** The field of the state, and its words. */
  readonly state: string
  readonly words: readonly string[]
  /** Those of ends. */
  readonly ends: readonly string[]
  /** The field of the event in a webhook. */
  readonly event?: string
  /** The only field of a rejection, if rejections have the same form with any status. */
  readonly rejected?: string
}

const UNKNOWN = 'zz_unknown'

/** All changes to a recording that a comparison has to report. */
export function mutationsOf(entries: readonly RecordingEntry[], freedom: Freedom): readonly Mutation[] {
  const changes = entries.flatMap((entry, index) => {
    const of = (kind: Mutation['kind'], field: string, change: (copy: Changeable) => void): Mutation => ({
      kind,
      exchange: index + 1,
      field,
      apply: () => entries.map((each, other) => (other === index ? changed(each, change) : each)),
    })
    return [...inBody(entry, freedom, of), ...inHead(entry, freedom, of), ...inStream(entry, of)]
  })
  return [...changes, ...inOrder(entries, freedom)]
}

type Of = (kind: Mutation['kind'], field: string, change: (copy: Changeable) => void) => Mutation

/** An entry whose fields are changed. */
interface Changeable {
  readonly type: string
  /** The body that shows a task: that of the answer, or that of the webhook. */
  readonly json: JsonValue | undefined
  readonly response: { status: number; headers: Record<string, string>; pieces?: [number, string][] }
}

function changed(entry: RecordingEntry, change: (copy: Changeable) => void): RecordingEntry {
  const copy = structuredClone(entry)
  change({ ...(copy as RecordingEntry & { response: Changeable['response'] }), json: jsonOf(copy) })
  return copy
}

function jsonOf(entry: RecordingEntry): JsonValue | undefined {
  if (entry.type === 'file') return undefined
  const body = entry.type === 'webhook' ? entry.request.body : entry.response?.body
  return body !== undefined && 'json' in body ? body.json : undefined
}

function inBody(entry: RecordingEntry, { free, optional, state, words, event }: Freedom, of: Of): Mutation[] {
  const json = jsonOf(entry)
  if (!isJsonObject(json) || (entry.type === 'exchange' && free.test(new URL(entry.request.url).pathname)))
    return []
  const at = (copy: Changeable, path: Path) => valueAt(copy.json ?? null, path) as JsonObject
  return objectsIn(json)
    .filter(({ path }) => !free.test(textOf(path)))
    .flatMap(({ path, value }) => [
      of('unknown', textOf([...path, UNKNOWN]), (copy) => {
        at(copy, path)[UNKNOWN] = 1
      }),
      ...Object.entries(value).flatMap(([name, inner]) => {
        const field = textOf([...path, name])
        const isOptional = optional?.test(field) === true || inner === null
        const isEvent = entry.type === 'webhook' && path.length === 0 && name === event
        const isWord = isEvent || (name === state && words.includes(String(inner)))
        return [
          ...(isOptional ? [] : [of('missing', field, (copy) => void delete at(copy, path)[name])]),
          ...(free.test(field) || inner === null
            ? []
            : [
                of('type', field, (copy) => {
                  at(copy, path)[name] = otherType(inner)
                }),
              ]),
          ...(isWord
            ? [
                of(isEvent ? 'event' : 'state', field, (copy) => {
                  at(copy, path)[name] = UNKNOWN
                }),
              ]
            : []),
        ]
      }),
    ])
}

function otherType(value: JsonValue): JsonValue {
  return typeof value === 'number' ? 'a text' : 7
}

function inHead(entry: RecordingEntry, { rejected = '' }: Freedom, of: Of): Mutation[] {
  if (entry.type !== 'exchange' || entry.response === undefined || entry.response.status >= 300) return []
  const isRejection = Object.keys(Object(jsonOf(entry))).join() === rejected
  return [
    ...(isRejection ? [299] : [299, 418, 500]).map((status) =>
      of('status', 'status', (copy) => {
        copy.response.status = status
      }),
    ),
    ...(entry.response.status === 204
      ? []
      : [
          of('header', 'content-type', (copy) => {
            copy.response.headers['content-type'] = 'text/html'
          }),
        ]),
    ...Object.keys(entry.response.headers)
      .filter((name) => name === 'x-fal-request-id')
      .map((name) =>
        of('header', name, (copy) => {
          delete copy.response.headers[name]
        }),
      ),
  ]
}

/** Changes to the names of events. */
function inStream(entry: RecordingEntry, of: Of): Mutation[] {
  if (entry.type !== 'exchange') return []
  const pieces = entry.response?.pieces ?? []
  return pieces.flatMap(([, text], index) =>
    text.startsWith('event: ')
      ? [
          of('event', '', (copy) => {
            const piece = copy.response.pieces?.[index]
            if (piece !== undefined) piece[1] = piece[1].replace(/^event: .*/, `event: ${UNKNOWN}`)
          }),
        ]
      : [],
  )
}

/** Each first poll once more, after the end of its task. */
function inOrder(entries: readonly RecordingEntry[], { state, ends }: Freedom): Mutation[] {
  const stateOf = (entry: RecordingEntry) => {
    const json = jsonOf(entry)
    const isPoll = entry.type === 'exchange' && entry.request.method === 'GET'
    return isPoll && isJsonObject(json) ? json[state] : undefined
  }
  const urlOf = (entry: RecordingEntry) => (entry.type === 'exchange' ? entry.request.url : '')
  return entries.flatMap((entry) => {
    const word = stateOf(entry)
    const ended = entries.findLast(
      (other) => ends.includes(String(stateOf(other))) && urlOf(other) === urlOf(entry),
    )
    if (word === undefined || ended === undefined || ends.includes(String(word))) return []
    const late = { ...entry, at: new Date(Date.parse(ended.at) + 3_600_000).toISOString() }
    return [{ kind: 'order', exchange: entries.length + 1, field: state, apply: () => [...entries, late] }]
  })
}

type Path = readonly (string | number)[]

/** The objects in a value, with their places. */
function objectsIn(value: JsonValue, path: Path = []): { readonly path: Path; readonly value: JsonObject }[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => objectsIn(inner, [...path, index]))
  if (!isJsonObject(value)) return []
  return [
    { path, value },
    ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, [...path, name])),
  ]
}

function valueAt(value: JsonValue, path: Path): JsonValue {
  return path.reduce<JsonValue>(
    (inner, name) => (inner as Record<string | number, JsonValue>)[name] ?? null,
    value,
  )
}

function textOf(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}
