import { DOCUMENT_PATHS } from '../control/paths.js'
import type { Route } from '../http/operation.js'
import { readDialectDocument, readDocument, readPage } from './read-document.js'

/** The routes of the descriptions of both APIs. */
export const DOCUMENT_ROUTES: readonly Route[] = [
  { path: DOCUMENT_PATHS['sim.openapi.control'], methods: { GET: readDocument('control') } },
  { path: DOCUMENT_PATHS['sim.openapi.service'], methods: { GET: readDocument('service') } },
  { path: DOCUMENT_PATHS['sim.openapi.dialect'], methods: { GET: readDialectDocument } },
  { path: DOCUMENT_PATHS['sim.docs'], methods: { GET: readPage } },
]
