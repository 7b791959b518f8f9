import { NAMES } from '../../dialects/table/operation-names.js'
import type { Endpoint } from '../../dialects/table/requests/endpoint.js'
import { waitReader } from '../../dialects/table/requests/request-values.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import { Lazy } from '../../engine/lazy.js'
import type { ServiceHandler, ServiceOperation } from '../operation.js'
import type { LazyOperation } from './lazy/compile.js'

/**
 * The handlers in `lazy/`, of operations that few requests call. They come with the first dialect besides the main one,
 * so that a server, or a page that uses tasksim, starts with less, and yet no request waits for them while a clock
 * goes on.
 */
export const LAZY_HANDLERS = new Lazy(() => import('./lazy/compile.js'))

/** An operation whose handler is loaded, and compiled, with its first request. */
export function lazyOperation(operation: LazyOperation, endpoint: Endpoint): ServiceOperation {
  let run: ServiceHandler | undefined
  return {
    id: NAMES[operation.action],
    authenticated: !('key' in operation && operation.key === 'none'),
    owns: ownerOf(endpoint.table),
    wait: operation.action === 'parts' ? waitReader(operation.wait, endpoint) : undefined,
    async run(exchange) {
      run ??= (await LAZY_HANDLERS.get()).compileLazy(operation, endpoint)
      return run(exchange)
    },
  }
}
