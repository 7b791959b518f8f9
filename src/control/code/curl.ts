import type { ServiceRequestShape } from '../shapes.js'

/**
 * The curl command that sends a request. In a shell, `$API_KEY` and `$ID` in it are variables.
 * @example
 * console.log(curlOf(await control.tasks.request(id)))
 */
export function curlOf({ method, url, headers, body, text }: ServiceRequestShape): string {
  const data = body === undefined ? text : spaced(body)
  const usual = data === undefined ? 'GET' : 'POST'
  const parts = [
    // Without -g, brackets and braces in a URL are patterns.
    `curl -s ${/[[\]{}]/.test(url) ? '-g ' : ''}${method === usual ? '' : `-X ${method} `}${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // After -d, @ is the start of the name of a file.
    ...(data === undefined ? [] : [`${data.startsWith('@') ? '--data-raw' : '-d'} ${quotedBody(data)}`]),
  ]
  return parts.join(data === undefined ? ' ' : ' \\\n  ')
}

/** A text with placeholders that the user sets, and nothing else that has a meaning between double quotation marks. */
const WITH_VARIABLE = /^(?:[\w .:/?=&@%+,-]|\$(?:API_KEY|ID)\b)*$/

/** Quotes a text for the shell. `$API_KEY` and `$ID` remain variables in a text that is otherwise harmless. */
export function shellQuote(text: string): string {
  if (text.includes('$') && WITH_VARIABLE.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Quotes a body for the shell. `$ID` remains a variable where it is a whole string of JSON. */
function quotedBody(data: string): string {
  return shellQuote(data).replaceAll('"$ID"', `"'"$ID"'"`)
}

/** Quotes a text only if the shell would not read it as one word. */
export function shellWord(text: string): string {
  return /^[\w.:/@%+,-]*$/.test(text.replace(/\$ID\b/, '')) ? text : shellQuote(text)
}

/** JSON on one line, with a space after each comma and colon. */
function spaced(value: object): string {
  const lines = JSON.stringify(value, null, 1)
  return lines
    .replace(/([[{])\n\s*/g, '$1')
    .replace(/\n\s*([\]}])/g, '$1')
    .replace(/\n\s*/g, ' ')
}
