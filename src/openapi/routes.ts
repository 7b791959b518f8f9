import type { Route } from '../http/operation.js'
import { readDocument } from './read-document.js'
import { readPage } from './read-page.js'

/**
 * The paths of the descriptions of both APIs.
 * @param routes all routes, these included
 */
export function documentRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    { path: '/_sim/openapi.json', methods: { GET: readDocument('control', routes) } },
    { path: '/_sim/service.openapi.json', methods: { GET: readDocument('service', routes) } },
    { path: '/_sim/docs', methods: { GET: readPage(routes) } },
  ]
}
