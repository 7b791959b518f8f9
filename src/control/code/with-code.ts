import type { Dialect } from '../../dialects/dialect.js'
import type { ServiceRequestShape } from '../shapes.js'

/** Adds its code to a request, if it is wanted. The code is loaded on first use. */
export async function withCode(
  request: ServiceRequestShape,
  dialect: Dialect | undefined,
  isWanted = false,
): Promise<ServiceRequestShape> {
  if (!isWanted) return request
  const { requestCode } = await import('./request-code.js')
  return { ...request, code: requestCode(request, dialect) }
}
