import type { ApiRequest } from '../http/exchange.js'
import type { Operation, Route } from '../http/operation.js'
import { json } from '../http/reply.js'
import type { OpenApiDocument } from './document-shape.js'

/** Which of the two APIs a document is about. */
export type Subject = 'control' | 'service'

/**
 * Gives the OpenAPI document of one of the APIs. It is put together when it is asked for, and nothing of it is
 * loaded before.
 * @param routes the table of routes, which the operation itself is part of
 */
export function readDocument(subject: Subject, routes: () => readonly Route[]): Operation {
  return {
    id: `sim.openapi.${subject}`,
    authenticated: false,
    run: async ({ request }) => json(200, await documentOf(subject, routes(), request)),
  }
}

/** The document of one of the APIs, with the place where the request came in. */
export async function documentOf(
  subject: Subject,
  routes: readonly Route[],
  { origin }: Pick<ApiRequest, 'origin'>,
): Promise<OpenApiDocument> {
  if (subject === 'control') return (await import('./control/document.js')).controlDocument(routes, origin)
  return (await import('./service/document.js')).serviceDocument(routes, origin)
}
