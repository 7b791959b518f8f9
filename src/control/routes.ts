import type { OtherOperation, Route } from '../http/operation.js'
import { CONTROL_PATHS, type ControlId } from './paths.js'

/** The routes of the control API. The first request loads all operations as one chunk. */
export const CONTROL_ROUTES: readonly Route[] = routesOf(CONTROL_PATHS)

function routesOf(paths: Readonly<Record<ControlId, string>>): Route[] {
  const routes = new Map<string, Record<string, OtherOperation>>()
  for (const [id, methodAndPath] of Object.entries(paths)) {
    const [method = '', path = ''] = methodAndPath.split(' ')
    routes.set(path, { ...routes.get(path), [method]: lazyOperation(id as ControlId) })
  }
  return [...routes].map(([path, methods]) => ({
    path,
    methods,
    ...(path.endsWith('{file}') && { params: [/./, /^\d{1,3}$/] }),
  }))
}

function lazyOperation(id: ControlId): OtherOperation {
  return {
    id,
    async run(exchange) {
      const { CONTROL_OPERATIONS } = await import('./operations.js')
      const operation = CONTROL_OPERATIONS.get(id)
      if (operation === undefined) throw new Error(`There is no control operation ${id}.`)
      return operation.run(exchange)
    },
  }
}
