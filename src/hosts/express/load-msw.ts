import { whereMissing } from '../../engine/errors.js'

/** The packages that run the user's MSW handlers; both are optional peers of tasksim. */
const PACKAGES = ['msw', '@mswjs/http-middleware'] as const

/**
 * Imports the packages that run MSW handlers.
 * @param what needs them, for the error
 * @throws UsageError with the command that installs the missing packages
 */
export async function loadMsw(what: string) {
  const msw = await import('msw').catch(whereMissing(what, ...PACKAGES))
  // MSW 3 no longer has what the middleware is built on.
  if (!('handleRequest' in msw)) return { msw, middleware: undefined }
  const middleware = await import('@mswjs/http-middleware').catch(whereMissing(what, ...PACKAGES))
  return { msw, middleware }
}
