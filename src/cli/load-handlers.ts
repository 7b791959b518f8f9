import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RequestHandler } from 'msw'
import { UsageError } from '../core/errors.js'

/**
 * The MSW handlers of a user's module.
 * @throws UsageError where there is no such module, or it exports none
 */
export async function loadHandlers(path: string): Promise<RequestHandler[]> {
  const module = await import(pathToFileURL(resolve(path)).href).catch((error: Error) => {
    throw new UsageError(`Cannot load the handlers ${path}: ${error.message}`)
  })
  const handlers: unknown = module.default ?? module.handlers
  if (Array.isArray(handlers) && handlers.every((handler) => typeof handler?.run === 'function'))
    return handlers
  throw new UsageError(`${path} exports no handlers: its default export must be an array of MSW handlers.`)
}
