import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { compileTemplate, GUARD, type Read, SPREAD, type Values } from './compile.js'
import { checkSize } from './filled-size.js'

/** A scope that keeps track of how long the values that were read from it stay the same. */
export interface Tracked {
  /**
   * Until when all values that were read since it was infinite stay the same, in epoch milliseconds; 0 if one of them may
   * change at any time. A text depends on what was read before it was written, too.
   */
  until: number
}

/**
 * Compiles a template to a function that writes JSON, the same as `JSON.stringify` of the filled template, or `{}` if it
 * has no value. It updates the previous text if it has written that, too: only values that may have changed are computed
 * again.
 * @throws TemplateError if a placeholder is not valid
 */
export function compileJson<Scope extends Tracked>(
  template: JsonValue,
  values: Values<Scope>,
): (scope: Scope, previous?: JsonText<Scope>) => JsonText<Scope> {
  const append = compilePart(template, values)
  return (scope, previous) => {
    if (previous?.isOf(append) !== true) return new JsonText(append, scope)
    previous.update(scope)
    return previous
  }
}

/** A JSON text that was written from a template: its constant parts, and the changing values between them. */
export class JsonText<Scope extends Tracked> {
  text = ''
  /** Until when the text stays the same, in epoch milliseconds, as in {@link Tracked}. */
  until = Infinity
  readonly #append: Append<Scope>
  #pieces: Pieces<Scope> = newPieces(Infinity)

  constructor(append: Append<Scope>, scope: Scope) {
    this.#append = append
    this.#write(scope)
  }

  /** Whether the text was written from the same template. */
  isOf(append: Append<Scope>): boolean {
    return this.#append === append
  }

  /** Writes the text again at a later time. */
  update(scope: Scope): void {
    if (this.#pieces.mayGrow || !this.#fill(scope)) this.#write(scope)
  }

  #write(scope: Scope): void {
    const pieces = newPieces<Scope>(scope.until)
    if (!this.#append(scope, pieces, '')) pieces.rest = '{}'
    this.#pieces = pieces
    this.text = pieces.written + pieces.rest
    this.until = pieces.until
  }

  /** @returns false if a value is missing, so that its field must be left out */
  #fill(scope: Scope): boolean {
    const { gaps, rest } = this.#pieces
    let text = ''
    for (const { before, read } of gaps) {
      const value = read(scope)
      if (value === undefined) return false
      text += before + JSON.stringify(value)
      checkSize(text.length)
    }
    this.text = text + rest
    this.until = scope.until
    return true
  }
}

interface Pieces<Scope> {
  readonly gaps: Gap<Scope>[]
  /** The text up to the last gap, with the values in the gaps. */
  written: string
  /** The text after the last gap. */
  rest: string
  /** Until when no value changes. */
  until: number
  /** Whether a changing value is missing now, so that the text may get another field later. */
  mayGrow: boolean
}

/** A changing value, and the text before it. */
interface Gap<Scope> {
  readonly before: string
  readonly read: Read<Scope>
}

function newPieces<Scope>(until: number): Pieces<Scope> {
  return { gaps: [], written: '', rest: '', until, mayGrow: false }
}

/**
 * Appends a part of a text.
 * @param lead what comes before the part, such as a comma and the name of its field
 * @returns false if the part has no value; nothing is appended then
 */
type Append<Scope> = (scope: Scope, pieces: Pieces<Scope>, lead: string) => boolean

function compilePart<Scope extends Tracked>(template: JsonValue, values: Values<Scope>): Append<Scope> {
  return isJsonObject(template) && Object.keys(template).every(isPlain)
    ? compileFields(template, values)
    : compileLeaf(template, values)
}

/** Whether `JSON.stringify` writes a field with this name at its place in the template. */
function isPlain(name: string): boolean {
  return (
    name !== SPREAD && name !== GUARD && name !== '__proto__' && !name.includes('{{') && !/^\d+$/.test(name)
  )
}

function compileFields<Scope extends Tracked>(template: JsonObject, values: Values<Scope>): Append<Scope> {
  const fields = Object.entries(template).map(([name, inner]) => ({
    label: `${JSON.stringify(name)}:`,
    append: compilePart(inner, values),
  }))
  return (scope, pieces, lead) => {
    let before = `${lead}{`
    let isEmpty = fields.length > 0
    for (const { label, append } of fields) {
      if (!append(scope, pieces, before + label)) continue
      before = ','
      isEmpty = false
    }
    if (isEmpty) return false
    pieces.rest += fields.length === 0 ? `${before}}` : '}'
    return true
  }
}

function compileLeaf<Scope extends Tracked>(template: JsonValue, values: Values<Scope>): Append<Scope> {
  const read = compileTemplate(template, values)
  return (scope, pieces, lead) => {
    scope.until = Infinity
    const value = read(scope)
    const { until } = scope
    if (until < pieces.until) pieces.until = until
    if (value === undefined) {
      pieces.mayGrow ||= until < Infinity
      return false
    }
    const before = pieces.rest + lead
    const json = JSON.stringify(value)
    checkSize(pieces.written.length + before.length + json.length)
    if (until < Infinity) {
      pieces.gaps.push({ before, read })
      pieces.written += before + json
      pieces.rest = ''
    } else pieces.rest = before + json
    return true
  }
}
