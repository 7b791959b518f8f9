import { whereMissing } from '../../engine/errors.js'

/** The packages that ask MSW handlers of a user's; both are optional peers of tasksim. */
const PACKAGES = ['msw', '@mswjs/http-middleware'] as const

/**
 * Imports what it takes to ask MSW handlers.
 * @param what needs it, for the error
 * @throws UsageError with the command that installs what is missing
 */
export async function loadMsw(what: string) {
  const msw = await import('msw').catch(whereMissing(what, ...PACKAGES))
  // MSW 3 no longer has what the middleware is built on.
  if (!('handleRequest' in msw)) return { msw, middleware: undefined }
  const middleware = await import('@mswjs/http-middleware').catch(whereMissing(what, ...PACKAGES))
  return { msw, middleware }
}
