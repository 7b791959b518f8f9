import { onMissingPackage } from '../../engine/errors.js'

/** The packages that run the user's MSW handlers; both are optional peers of tasksim. */
const PACKAGES = ['msw', '@mswjs/http-middleware'] as const

/**
 * Imports the packages that run MSW handlers.
 * @param feature the feature that needs them, for the error
 * @throws UsageError with the command that installs the missing packages
 */
export async function loadMsw(feature: string) {
  const msw = await import('msw').catch(onMissingPackage(feature, ...PACKAGES))
  // MSW 3 no longer has the function that the middleware calls.
  if (!('handleRequest' in msw)) return { msw, middleware: undefined }
  const middleware = await import('@mswjs/http-middleware').catch(onMissingPackage(feature, ...PACKAGES))
  return { msw, middleware }
}
