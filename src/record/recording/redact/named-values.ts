import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { wordsOf } from '../../../engine/secret-names.js'
import { isSecretHeader, isWord } from './secret-names.js'

/** The fields of a pair: `{ name: 'API_KEY', value: 'x' }`. */
const NAMES = ['name', 'key', 'header', 'field', 'param', 'parameter', 'variable', 'k', 'n']
const VALUES = ['value', 'values', 'val', 'default', 'content', 'data', 'text', 'v']
/** Fields that often have other texts than names, so that only the first of the fields with values counts. */
const LABELS =
  'id identifier label title caption slug type kind property prop attribute attr setting option env column question placeholder'.split(
    ' ',
  )
const LABELLED = ['value', 'values', 'val', 'default', 'current', 'answer', 'v']
/** An argument of a command, such as `--password`. */
const OPTION = /^--?[a-z]/i
const NAME = /^[\w.$[\]-]{1,80}:?$/
/** A name that people read, such as `Your API key:`. */
const LABEL = /^[a-z]{1,20}(?:[ _.-][a-z]{1,20}){0,4} ?[:*?]?$/i

/** Whether a field of an object is the value of a pair whose name, in another field, is that of a secret. */
export function secretValuesOf(object: JsonObject): (field: string) => boolean {
  const { op, path } = object
  // A change of a field (RFC 6902).
  if (typeof op === 'string' && typeof path === 'string')
    return isSecretWord(path.replace(/^.*\//, '')) ? (field) => isLastWord(field, VALUES) : () => false
  const entries = Object.entries(object)
  const isNamed = entries.some(
    ([field, value]) => isLastWord(field, NAMES) && typeof value === 'string' && isSecretWord(value),
  )
  const isLabelled = entries.some(([field, value]) => isSecretLabel(field, value))
  return (field) =>
    (isNamed && isLastWord(field, VALUES)) || ((isNamed || isLabelled) && isLastWord(field, LABELLED))
}

/** Whether a field says that another one is a secret, also as an object: `{ field: { id: 'pin' }, value: 'x' }`. */
function isSecretLabel(field: string, value: JsonValue): boolean {
  if (isJsonObject(value))
    return (
      isLastWord(field, [...NAMES, ...LABELS]) &&
      Object.entries(value).some(
        ([inner, text]) =>
          isLastWord(inner, [...NAMES, ...LABELS]) && typeof text === 'string' && isSecretName(text),
      )
    )
  return isLastWord(field, LABELS) && typeof value === 'string' && isSecretName(value)
}

/**
 * Whether the text before a value in a list makes it a secret: in a list of names and values in turn, such as one of
 * headers, and in a command.
 */
export function isNamedBy(name: JsonValue | undefined, index: number, list: readonly JsonValue[]): boolean {
  if (typeof name !== 'string' || !isSecretWord(name)) return false
  const value = list[index]
  const isSentence = typeof value === 'string' && isWord(value.replace(/[.,;:!?]$/, ''))
  return OPTION.test(name) || (index % 2 === 1 && list.length % 2 === 0 && !isSentence)
}

/** Whether the last word of a name is one of these, as in `header_name`. */
function isLastWord(name: string, words: readonly string[]): boolean {
  return words.includes(wordsOf(name).at(-1) ?? '')
}

/** Whether a text is the name of a secret, and not a sentence. */
function isSecretWord(text: string): boolean {
  return NAME.test(text) && isSecretHeader(text)
}

/** Whether a text is the name of a secret, without digits, as in ids. */
function isSecretName(text: string): boolean {
  return LABEL.test(text) && isSecretHeader(text)
}

/** The columns of a table that have secrets. */
export interface SecretColumns {
  /** The number of all columns. */
  readonly count: number
  readonly indexes: ReadonlySet<number>
}

/** The fields with the names of columns. */
const COLUMNS =
  'column columns cols field fields key keys name names header headers head heads schema labels attributes properties params parameters variables'.split(
    ' ',
  )
/** Names that are not the name of a field of a table, but of an object with such a field: `{ schema: { fields } }`. */
const SOME_LEVELS = 2

/** The columns with secrets in the tables of an object, such as `{ columns: ['user', 'pin'], rows: [['bob', 'x']] }`. */
export function secretColumnsOf(object: JsonObject): readonly SecretColumns[] {
  return columnsIn(object, SOME_LEVELS)
}

function columnsIn(object: JsonObject, levels: number): readonly SecretColumns[] {
  return Object.entries(object).flatMap(([field, value]) => {
    if (!isLastWord(field, COLUMNS)) return []
    if (isJsonObject(value)) return levels > 1 ? columnsIn(value, levels - 1) : []
    const columns = Array.isArray(value) ? columnsNamed(value.map(nameOfColumn)) : undefined
    return columns === undefined ? [] : [columns]
  })
}

/** The columns with secrets in a list of rows, the first of which has the names of the columns. */
export function secretColumnsOfRows(rows: readonly JsonValue[]): SecretColumns | undefined {
  const [names, first] = rows
  if (!Array.isArray(names) || !Array.isArray(first) || names.length < 2) return undefined
  if (!rows.every((row) => Array.isArray(row) && row.length === names.length)) return undefined
  const columns = columnsNamed(names)
  // A pair of a name and a value.
  const isPair = names.length === 2 && columns?.indexes.has(0) && !isName(names[1])
  return isPair || !names.every(isName) ? undefined : columns
}

function columnsNamed(names: readonly (JsonValue | undefined)[]): SecretColumns | undefined {
  const indexes = names.flatMap((name, index) =>
    typeof name === 'string' && isSecretWord(name) ? [index] : [],
  )
  return indexes.length === 0 ? undefined : { count: names.length, indexes: new Set(indexes) }
}

function isName(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && isWord(wordsOf(value).join(' ').trim())
}

/** The name of a column, also of one that is an object, such as `{ name: 'pin', type: 'text' }`. */
function nameOfColumn(column: JsonValue): JsonValue | undefined {
  if (!isJsonObject(column)) return column
  const [, name] =
    Object.entries(column).find(([field]) => isLastWord(field, [...NAMES, 'id', 'column', 'label'])) ?? []
  return name
}

/** The indexes of secrets in a list, if it is a row of a table: none of its values is a row. */
export function secretsInRow(
  list: readonly JsonValue[],
  columns: readonly SecretColumns[],
): ReadonlySet<number> {
  const found = columns.filter(({ count }) => count === list.length)
  if (found.length === 0 || list.some(hasList)) return NONE
  return new Set(
    found
      .flatMap(({ indexes }) => [...indexes])
      // The list may be that of the names.
      .filter((index) => !isSecretWord(String(nameOfColumn(list[index] ?? null)))),
  )
}

const NONE: ReadonlySet<number> = new Set()

function hasList(value: JsonValue): boolean {
  if (Array.isArray(value)) return true
  return isJsonObject(value) && Object.values(value).some((inner) => Array.isArray(inner))
}
