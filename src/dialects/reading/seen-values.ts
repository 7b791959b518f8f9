import { isoTime, isSupportedInstant } from '../../engine/clock/instants.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Kind, Status } from '../../engine/tasks/task.js'
import type { FilterName } from '../table/template/filters.js'
import type { Operand, Placeholder } from '../table/template/parse.js'

/** The values of placeholders that an answer shows, by their names, such as `created_at` or `input.prompt`. */
export class SeenValues {
  readonly #values = new Map<string, JsonValue>()
  /** The output, in the form of the default wire format. */
  output: JsonObject | undefined

  /** Adds a value that a placeholder stands for, unless an earlier one has the same name. */
  readonly add = (placeholder: Placeholder, value: JsonValue): void => {
    // A fallback does not tell what the value is.
    if (placeholder.some((operand) => 'constant' in operand.value && operand.value.constant === value)) return
    const names = placeholder.map(nameOf)
    this.#addOutput(outputIn(names, value))
    for (const [index, operand] of placeholder.entries()) {
      const name = names[index]
      const original = name === undefined ? undefined : undoFilters(operand, value)
      if (name === undefined || original === undefined || this.#values.has(name)) continue
      this.#values.set(name, original)
      return
    }
  }

  /** A picture beside a video shows its beginning. */
  #addOutput(output: JsonObject | undefined): void {
    const isPicture = this.output !== undefined && Object.hasOwn(this.output, 'images')
    if (this.output === undefined || (isPicture && output?.['video'] !== undefined)) this.output = output
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name)
    return typeof value === 'string' ? value : undefined
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name)
    return typeof value === 'number' ? value : undefined
  }

  /** A time, in epoch milliseconds; undefined if it is not in the years 1 to 9999. */
  time(name: string): number | undefined {
    const time = Date.parse(this.text(name) ?? '')
    return isSupportedInstant(time) ? time : undefined
  }

  /** A mapping: as a whole, or with the fields that are known. */
  mapping(name: string): JsonObject | undefined {
    const whole = this.#values.get(name)
    const fields = [...this.#values].flatMap(([path, value]): [string, JsonValue][] =>
      path.startsWith(`${name}.`) && path.indexOf('.', name.length + 1) === -1
        ? [[path.slice(name.length + 1), value]]
        : [],
    )
    if (fields.length === 0) return isJsonObject(whole) ? whole : undefined
    return { ...(isJsonObject(whole) && whole), ...Object.fromEntries(fields) }
  }
}

function nameOf({ value }: Operand): string | undefined {
  return 'constant' in value ? undefined : [value.name, ...value.steps].join('.')
}

const MEDIA = ['image', 'video', 'audio'] as const
const URL_FORM = /^(?:https?|data):/

/** The types of files by the ends of their URLs, and by their media type in data URLs. */
const FORMS = {
  video: /\.(?:mp4|webm|mov|m4v)(?:$|[?#])|^data:video/i,
  audio: /\.(?:mp3|wav|ogg|opus|m4a|flac|aac)(?:$|[?#])|^data:audio/i,
} as const

/**
 * The output of a task, in the form of the default wire format.
 * @param names the values that the place in the answer may show, such as `video`, `files` and `output`
 */
function outputIn(names: readonly (string | undefined)[], value: JsonValue): JsonObject | undefined {
  if (names.some((name) => name === 'output' || name === 'result') && isJsonObject(value)) return value
  if (typeof value === 'string') return outputOfText(names, value)
  if (!Array.isArray(value) || value.length === 0) return undefined
  if (names.some((name) => name === 'result' || name === 'file_list')) return outputOfFiles(value)
  if (!value.every((entry) => typeof entry === 'string')) return undefined
  if (names.includes('files') && value.every((entry) => URL_FORM.test(entry))) return { images: value }
  return names.includes('pieces') ? { text: value.join('') } : undefined
}

/** The output in a list with an entry for each file. */
function outputOfFiles(entries: readonly JsonValue[]): JsonObject | undefined {
  const urls = entries.flatMap((entry) => {
    const values: JsonValue[] = isJsonObject(entry) ? Object.values(entry) : [entry]
    return values.find((value): value is string => typeof value === 'string' && URL_FORM.test(value)) ?? []
  })
  const [first] = urls
  if (first === undefined) return undefined
  const kind = (['video', 'audio'] as const).find((name) => FORMS[name].test(first))
  return kind === undefined ? { images: urls } : { [kind]: first }
}

function outputOfText(names: readonly (string | undefined)[], text: string): JsonObject | undefined {
  if (names.includes('text') || names.includes('output.text')) return { text }
  const media = MEDIA.filter((name) => names.includes(name))
  const [first] = media
  if (first === undefined || !URL_FORM.test(text)) return undefined
  const named = media.find((name) => name !== 'image' && FORMS[name].test(text)) ?? first
  return named === 'image' ? { images: [text] } : { [named]: text }
}

type Undo = (value: JsonValue, args: readonly string[]) => JsonValue | undefined

/** What a filter was applied to, by its result, as far as a history needs it. */
const UNDO: { readonly [Name in FilterName]?: Undo } = {
  unix: (seconds) =>
    typeof seconds === 'number' && isSupportedInstant(seconds * 1_000) ? isoTime(seconds * 1_000) : undefined,
  no_zone: (time) => (typeof time === 'string' ? `${time}Z` : undefined),
  spaced: (time) => (typeof time === 'string' ? `${time.replace(' ', 'T')}Z` : undefined),
  times: (product, [factor]) => numberOf(product, (value) => value / Number(factor)),
  plus: (sum, [more]) => numberOf(sum, (value) => value - Number(more)),
  map: (value, [from = '', to]) => (String(value) === to ? from : value),
  without: (value) => value,
  not_empty: (value) => value,
  round: (value) => value,
  number: (value) => value,
  text: (value) => value,
}

/** The value to which the filters of an operand were applied; undefined if it cannot be known. */
function undoFilters({ filters }: Operand, result: JsonValue): JsonValue | undefined {
  return filters.reduceRight<JsonValue | undefined>(
    (value, { name, args }) => (value === undefined ? undefined : UNDO[name]?.(value, args)),
    result,
  )
}

function numberOf(value: JsonValue, compute: (value: number) => number): number | undefined {
  return typeof value === 'number' ? compute(value) : undefined
}

/** What an answer of a service says about a task. Times are epoch milliseconds; undefined: the answer does not say. */
export interface SeenTask {
  readonly id?: string | undefined
  readonly status?: Status | undefined
  /** The word of its state, if the dialect does not know it. The other values are those of a task that has ended. */
  readonly unknownWord?: string | undefined
  readonly model?: string | undefined
  readonly kind?: Kind | undefined
  readonly input?: JsonObject | undefined
  readonly createdAt?: number | undefined
  /** When it left the queue. */
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  /** How many milliseconds it was in the queue. */
  readonly queueMs?: number | undefined
  /** How many milliseconds it was processed. */
  readonly runMs?: number | undefined
  readonly error?: { readonly code?: string | undefined; readonly message: string } | undefined
  /** In US dollars. */
  readonly cost?: number | undefined
  /** In the form of the default wire format, as far as it is known. */
  readonly output?: JsonObject | undefined
}
