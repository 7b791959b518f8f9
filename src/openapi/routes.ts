import { DOCUMENT_PATHS } from '../control/paths.js'
import type { Operation, Route } from '../http/operation.js'

type Name = keyof typeof DOCUMENT_PATHS

/** The routes of the descriptions of both APIs. */
export const DOCUMENT_ROUTES: readonly Route[] = [
  documentRoute('sim.openapi.control'),
  documentRoute('sim.openapi.service'),
  documentRoute('sim.openapi.dialect'),
  documentRoute('sim.docs'),
]

function documentRoute(name: Name): Route {
  return { path: DOCUMENT_PATHS[name], methods: { GET: documentOperation(name) } }
}

/** The code is loaded on first use, because few clients read documents. */
function documentOperation(name: Name): Operation {
  return {
    id: name,
    authenticated: false,
    async run(exchange) {
      const { DOCUMENT_READERS } = await import('./read-document.js')
      return DOCUMENT_READERS[name](exchange)
    },
  }
}
