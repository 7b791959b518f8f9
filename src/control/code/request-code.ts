import type { Dialect } from '../../dialects/dialect.js'
import type { CodeSampleShape, ServiceRequestShape } from '../shapes.js'
import { curlOf } from './curl.js'
import { fetchCode } from './fetch-code.js'
import { pythonCode } from './python-code.js'
import { sdkCode } from './sdk-code.js'

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
