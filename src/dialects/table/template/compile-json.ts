import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { compileTemplate, GUARD, namesIn, type Read, SPREAD, type Values } from './compile.js'

/** A JSON text; a function that writes it, if a part of it changes. */
export type JsonText<Scope> = string | ((scope: Scope) => string)

/** Whether a value may differ between two scopes for which a text is written. */
export type IsChanging<Scope> = (name: string, scope: Scope) => boolean

/**
 * Compiles a template to a function that writes JSON, the same as `JSON.stringify` of the filled template, or `{}` if it
 * has no value. Only the changing values of a text are computed again when it is written again.
 * @throws TemplateError if a placeholder is not valid
 */
export function compileJson<Scope>(
  template: JsonValue,
  values: Values<Scope>,
  isChanging: IsChanging<Scope>,
): (scope: Scope) => JsonText<Scope> {
  const append = compilePart(template, values, isChanging)
  const read = compileTemplate(template, values)
  const writeAll = (scope: Scope) => JSON.stringify(read(scope) ?? {})
  return (scope) => {
    const pieces: Pieces<Scope> = { text: '', gaps: [], mayGrow: false }
    if (!append(scope, pieces, '')) pieces.text = '{}'
    if (pieces.mayGrow) return writeAll
    return pieces.gaps.length === 0 ? pieces.text : (scope) => fill(pieces, scope) ?? writeAll(scope)
  }
}

/** The constant parts of a text, and the values between them. */
interface Pieces<Scope> {
  readonly gaps: Gap<Scope>[]
  /** The text after the last gap. */
  text: string
  /** Whether a changing value is missing now, so that the text may get another field later. */
  mayGrow: boolean
}

/** A changing value, and the text before it. */
interface Gap<Scope> {
  readonly before: string
  readonly read: Read<Scope>
  /** The latest value, and its JSON. */
  value: JsonValue
  json: string
}

/** @returns undefined if a value is missing, so that its field must be left out */
function fill<Scope>({ gaps, text }: Pieces<Scope>, scope: Scope): string | undefined {
  let filled = ''
  for (const gap of gaps) {
    const value = gap.read(scope)
    if (value === undefined) return undefined
    if (value !== gap.value) {
      gap.value = value
      gap.json = JSON.stringify(value)
    }
    filled += gap.before + gap.json
  }
  return filled + text
}

/**
 * Appends a part of a text.
 * @param lead what comes before the part, such as a comma and the name of its field
 * @returns false if the part has no value; nothing is appended then
 */
type Append<Scope> = (scope: Scope, pieces: Pieces<Scope>, lead: string) => boolean

function compilePart<Scope>(
  template: JsonValue,
  values: Values<Scope>,
  isChanging: IsChanging<Scope>,
): Append<Scope> {
  return isJsonObject(template) && Object.keys(template).every(isPlain)
    ? compileFields(template, values, isChanging)
    : compileLeaf(template, values, isChanging)
}

/** Whether `JSON.stringify` writes a field with this name at its place in the template. */
function isPlain(name: string): boolean {
  return (
    name !== SPREAD && name !== GUARD && name !== '__proto__' && !name.includes('{{') && !/^\d+$/.test(name)
  )
}

function compileFields<Scope>(
  template: JsonObject,
  values: Values<Scope>,
  isChanging: IsChanging<Scope>,
): Append<Scope> {
  const fields = Object.entries(template).map(([name, inner]) => ({
    label: `${JSON.stringify(name)}:`,
    append: compilePart(inner, values, isChanging),
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
    pieces.text += fields.length === 0 ? `${before}}` : '}'
    return true
  }
}

function compileLeaf<Scope>(
  template: JsonValue,
  values: Values<Scope>,
  isChanging: IsChanging<Scope>,
): Append<Scope> {
  const read = compileTemplate(template, values)
  const names = [...namesIn(template)]
  return (scope, pieces, lead) => {
    const value = read(scope)
    const changes = names.some((name) => isChanging(name, scope))
    if (value === undefined) {
      pieces.mayGrow ||= changes
      return false
    }
    if (changes) {
      pieces.gaps.push({ before: pieces.text + lead, read, value, json: JSON.stringify(value) })
      pieces.text = ''
    } else pieces.text += lead + JSON.stringify(value)
    return true
  }
}
