import { Expression, type Syntax, type Written } from './literal.js'

/** Stands for the API key if the scenario lists the keys, which are secret. */
const KEY_VARIABLE = '$API_KEY'

/** Writes the headers of a request. The placeholder of the API key becomes the environment variable `API_KEY`. */
export function writtenHeaders(
  headers: Readonly<Record<string, string>>,
  keyHeader: string | undefined,
  syntax: Syntax,
): Record<string, Written> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === keyHeader?.toLowerCase() ? writtenKey(value, syntax) : value,
    ]),
  )
}

/** Writes a text that may contain the placeholder of the API key. */
export function writtenKey(text: string, syntax: Syntax): Written {
  const parts = text.split(KEY_VARIABLE)
  return parts.length === 1 ? text : new Expression(syntax.withKey(parts))
}
