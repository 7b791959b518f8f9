import { NAMES } from '../../dialects/table/operation-names.js'
import type { OperationPlace } from '../../dialects/table/requests/operation-place.js'
import { waitReader } from '../../dialects/table/requests/request-values.js'
import { ownerOf } from '../../dialects/table/tasks/objects.js'
import type { ServiceHandler, ServiceOperation } from '../operation.js'
import type { compileRare, RareTable } from './rare/compile.js'

type Compile = typeof compileRare

let loading: Promise<Compile> | undefined

/**
 * Loads the code of rare operations. It comes with the first dialect besides the main one, so that a server, or a page
 * that uses tasksim, starts with less, and yet no request waits for it while a clock goes on.
 */
export function loadRare(): Promise<Compile> {
  loading ??= import('./rare/compile.js').then(({ compileRare }) => compileRare)
  return loading
}

/** An operation that few services have. It is compiled with its first request. */
export function rareOperation(operation: RareTable, place: OperationPlace): ServiceOperation {
  let run: ServiceHandler | undefined
  return {
    id: NAMES[operation.action],
    authenticated: !('key' in operation && operation.key === 'none'),
    owns: ownerOf(place.table),
    wait: operation.action === 'parts' ? waitReader(operation.wait, place) : undefined,
    async run(exchange) {
      run ??= (await loadRare())(operation, place)
      return run(exchange)
    },
  }
}
