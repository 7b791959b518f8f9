import type { Dialect } from '../../dialects/dialect.js'
import type { CodeSampleShape, ServiceRequestShape } from '../shapes.js'
import { CLIENTS, clientCode } from './clients.js'
import { curlOf } from './curl.js'
import { Expression, JAVASCRIPT, literal, PYTHON, writtenHeaders, writtenKey } from './literal.js'
import { CALL_WRITERS, type ServiceCall } from './sdk-calls.js'

/**
 * The code that sends a request: a curl command, TypeScript, Python and, if there is one for it, the official client of
 * the service.
 * @param dialect the wire format of the request; undefined if its path has none
 */
export function requestCode(request: ServiceRequestShape, dialect: Dialect | undefined): CodeSampleShape[] {
  const key = dialect?.key.header
  const sdk = dialect && sdkCode(request, dialect)
  return [
    { language: 'curl', label: 'curl', text: curlOf(request) },
    { language: 'typescript', label: 'TypeScript', text: fetchCode(request, key) },
    { language: 'python', label: 'Python', text: pythonCode(request, key) },
    ...(sdk === undefined ? [] : [sdk]),
  ]
}

/** A Python script that sends a request with the standard library, and prints the answer. */
function pythonCode(
  { method, url, headers, body, text }: ServiceRequestShape,
  keyHeader: string | undefined,
): string {
  const written = literal(writtenHeaders(headers, keyHeader, PYTHON), PYTHON, '    ')
  const data =
    body !== undefined
      ? `json.dumps(${literal(jsonOf(body), PYTHON, '    ')})`
      : text && literal(text, PYTHON, '    ')
  const modules = [
    ...(body === undefined ? [] : ['json']),
    ...(written.includes('os.environ[') ? ['os'] : []),
    'urllib.request',
  ]
  return `${modules.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(
    ${literal(url, PYTHON)},
    method=${literal(method, PYTHON)},
    headers=${written},
${data ? `    data=${data}.encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
}

/** Headers that every client of a service sets by itself. */
const OWN_HEADERS = ['content-type', 'accept']

/** The code that sends a request with the official client; undefined if there is none, or it has no such function. */
function sdkCode(request: ServiceRequestShape, dialect: Dialect): CodeSampleShape | undefined {
  const { name, key } = dialect
  const [setup, writeCall] = [CLIENTS[name], CALL_WRITERS[name]]
  const called = calledAt(request.url, dialect)
  if (setup === undefined || writeCall === undefined || called === undefined || request.method !== 'POST')
    return undefined
  const call = { ...called.call, body: jsonOf(request.body ?? {}), headers: furtherHeaders(request, dialect) }
  const code = writeCall(call)
  if (code === undefined) return undefined
  const sent = request.headers[nameIn(request.headers, key.header)] ?? ''
  const value = key.scheme === undefined ? sent : sent.replace(`${key.scheme} `, '')
  const [load, construct] = clientCode(setup, called.origin, writtenKey(value, JAVASCRIPT))
  const around = code.sendsHeaders ? '' : sendingFetch(call.headers)
  const text = `${load}\n\n${around}${construct}\n\nconst task = await client.${code.call}\nconsole.log(task)`
  return { language: 'sdk', label: setup.package, text }
}

/** The server of a URL, and the path there; undefined if the URL is that of the service itself. */
function calledAt(
  url: string,
  { name, hosts }: Dialect,
): { origin: string; call: Pick<ServiceCall, 'path' | 'query'> } | undefined {
  const [, origin = '', rest] = new RegExp(`^(https?://.*?)/${name}(/.*)$`).exec(url) ?? []
  if (rest === undefined || hosts.some((host) => url.startsWith(`${host.origin}/`))) return undefined
  const [path = '', search = ''] = rest.split('?')
  return { origin, call: { path, query: Object.fromEntries(new URLSearchParams(search)) } }
}

function furtherHeaders({ headers }: ServiceRequestShape, { key, requiredHeaders }: Dialect) {
  const own = [...OWN_HEADERS, key.header.toLowerCase(), ...(requiredHeaders?.keys() ?? [])]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name.toLowerCase())))
}

function nameIn(headers: ServiceRequestShape['headers'], wanted: string): string {
  return Object.keys(headers).find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? wanted
}

/** Replaces `fetch` for a client whose functions have no option for headers. */
function sendingFetch(headers: ServiceCall['headers']): string {
  if (Object.keys(headers).length === 0) return ''
  return `// This client cannot add headers to a request.
const { fetch } = globalThis
const headers = ${literal(headers, JAVASCRIPT)}
globalThis.fetch = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...headers } })

`
}

/** A TypeScript module that sends a request with `fetch`, and prints the answer. */
function fetchCode(
  { method, url, headers, body, text }: ServiceRequestShape,
  keyHeader: string | undefined,
): string {
  const data = body === undefined ? text : new Expression(`JSON.stringify(${json(body)})`)
  const options = {
    method,
    headers: writtenHeaders(headers, keyHeader, JAVASCRIPT),
    ...(data !== undefined && { body: data }),
  }
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${literal(value, JAVASCRIPT, '  ')},\n`,
  )
  return `const response = await fetch(${literal(url, JAVASCRIPT)}, {
${lines.join('')}})
console.log(response.status, await response.text())`
}

function json(body: NonNullable<ServiceRequestShape['body']>): string {
  return literal(jsonOf(body), JAVASCRIPT, '  ')
}

/** The body as values that have a literal. */
function jsonOf(body: NonNullable<ServiceRequestShape['body']>): Record<string, never> {
  return JSON.parse(JSON.stringify(body))
}
