/** The most characters of a result: a model reads all of it. */
const MAX_TEXT = 30_000
/** The most characters of one value, such as a body. */
const MAX_VALUE = 8_000
/** The most items of a list that has no pages. */
const MAX_ITEMS = 100
/** The exact bytes of a body, which its text repeats. */
const OMITTED = 'body_base64'

/** Writes a result of a tool as a text that is not too long for a model. It says what it leaves out. */
export function resultText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? 'Done.', shortened) ?? '')
  if (text.length <= MAX_TEXT) return text
  return `${text.slice(0, MAX_TEXT)}\n[Cut after ${MAX_TEXT} of ${text.length} characters. Ask for less: with a smaller \`limit\`, or for one item by its id.]`
}

function shortened(key: string, value: unknown): unknown {
  if (key === OMITTED) return undefined
  if (typeof value === 'string' && value.length > MAX_VALUE)
    return `${value.slice(0, MAX_VALUE)} [${value.length - MAX_VALUE} more characters]`
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return [...value.slice(0, MAX_ITEMS), `[${value.length - MAX_ITEMS} more items]`]
  return value
}
