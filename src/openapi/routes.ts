import { DOCUMENT_PATHS } from '../control/paths.js'
import type { OtherOperation, Route } from '../http/operation.js'

type Name = keyof typeof DOCUMENT_PATHS

/** The routes of the descriptions of both APIs. */
export const DOCUMENT_ROUTES: readonly Route[] = Object.entries(DOCUMENT_PATHS).map(([name, path]) => ({
  path,
  methods: { GET: documentOperation(name as Name) },
}))

/** The code is loaded on first use, because few clients read documents. */
function documentOperation(name: Name): OtherOperation {
  return {
    id: name,
    async run(exchange) {
      const { DOCUMENT_READERS } = await import('./read-document.js')
      return DOCUMENT_READERS[name](exchange)
    },
  }
}
