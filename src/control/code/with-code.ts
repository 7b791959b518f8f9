import type { Dialect } from '../../dialects/dialect.js'
import type { CodeQuery, ServiceRequestShape } from '../shapes.js'

/** Adds its code to a request, if a query asks for it. The code is loaded on first use. */
export async function withCode(
  request: ServiceRequestShape,
  dialect: Dialect | undefined,
  query: CodeQuery,
): Promise<ServiceRequestShape> {
  if (query.code !== 'true') return request
  const { requestCode } = await import('./request-code.js')
  return { ...request, code: requestCode(request, dialect) }
}
