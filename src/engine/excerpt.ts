import type { JsonValue } from './json.js'

/**
 * The start of a value's JSON. Only that part is serialized, so a large value costs no more.
 * @param most characters
 */
export function excerptOf(value: JsonValue, most: number): string {
  return beginningOf(value, most).slice(0, most)
}

function beginningOf(value: JsonValue, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${filled(value.values(), most, (item, left) => beginningOf(item, left))}]`
  const fields = filled(Object.keys(value).values(), most, (name, left) => {
    const key = JSON.stringify(name.slice(0, left))
    return `${key}:${beginningOf(value[name] as JsonValue, Math.max(0, left - key.length))}`
  })
  return `{${fields}}`
}

/** Joins the texts of items with commas, up to about `most` characters. */
function filled<Item>(
  items: Iterator<Item>,
  most: number,
  textOf: (item: Item, left: number) => string,
): string {
  let text = ''
  for (let next = items.next(); !next.done && text.length < most; next = items.next())
    text += `${text === '' ? '' : ','}${textOf(next.value, most - text.length)}`
  return text
}
