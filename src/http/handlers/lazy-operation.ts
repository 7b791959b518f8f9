import { NAMES } from '../../dialects/table/operation-names.js'
import type { OperationPlace } from '../../dialects/table/requests/operation-place.js'
import { waitReader } from '../../dialects/table/requests/request-values.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import type { ServiceHandler, ServiceOperation } from '../operation.js'
import type { compileLazy, LazyOperation } from './lazy/compile.js'

type Compile = typeof compileLazy

let loading: Promise<Compile> | undefined

/**
 * Loads the handlers in `lazy/`, of operations that few requests call. They come with the first dialect besides the main one, so that a server, or a page
 * that uses tasksim, starts with less, and yet no request waits for it while a clock goes on.
 */
export function loadLazyHandlers(): Promise<Compile> {
  loading ??= import('./lazy/compile.js').then(({ compileLazy }) => compileLazy)
  return loading
}

/** An operation whose handler is loaded, and compiled, with its first request. */
export function lazyOperation(operation: LazyOperation, place: OperationPlace): ServiceOperation {
  let run: ServiceHandler | undefined
  return {
    id: NAMES[operation.action],
    authenticated: !('key' in operation && operation.key === 'none'),
    owns: ownerOf(place.table),
    wait: operation.action === 'parts' ? waitReader(operation.wait, place) : undefined,
    async run(exchange) {
      run ??= (await loadLazyHandlers())(operation, place)
      return run(exchange)
    },
  }
}
