import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Operand, Placeholder } from '../table/template/parse.js'
import { outputIn } from './seen-output.js'
import { undoFilters } from './undo-filters.js'

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

  /** A time, in epoch milliseconds. */
  time(name: string): number | undefined {
    const time = Date.parse(this.text(name) ?? '')
    return Number.isNaN(time) ? undefined : time
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
