import type { JsonValue } from './json.js'

/**
 * The start of a value's JSON. It serializes only that part, so a large value costs no more than a small one.
 * @param limit in characters
 */
export function excerptOf(value: JsonValue, limit: number): string {
  return beginningOf(value, limit).slice(0, limit)
}

function beginningOf(value: JsonValue, limit: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, limit))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${joinItems(value.values(), limit - 1, (item, remaining) => beginningOf(item, remaining))}]`
  const fields = joinItems(Object.keys(value).values(), limit - 1, (name, remaining) => {
    const key = JSON.stringify(name.slice(0, remaining))
    return `${key}:${beginningOf(value[name] as JsonValue, Math.max(0, remaining - key.length))}`
  })
  return `{${fields}}`
}

/** Joins the texts of items with commas, up to about `limit` characters. */
function joinItems<Item>(
  items: Iterator<Item>,
  limit: number,
  textOf: (item: Item, remaining: number) => string,
): string {
  let text = ''
  for (let next = items.next(); !next.done && text.length < limit; next = items.next())
    text += `${text === '' ? '' : ','}${textOf(next.value, limit - text.length)}`
  return text
}
