import type { ServiceRequestShape } from '../shapes.js'
import { jsonOf } from './fetch-code.js'
import { writtenHeaders } from './headers.js'
import { literal } from './literal.js'
import { PYTHON } from './python.js'

/** A Python script that sends a request with the standard library, and prints the answer. */
export function pythonCode(
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
