import type { ApiRequest } from '../http/exchange/exchange.js'
import { json } from '../http/exchange/reply.js'
import type { Operation } from '../http/operation.js'
import type { OpenApiDocument } from './openapi.js'

/** Which of the two APIs a document describes. */
type Subject = 'control' | 'service'

/** Responds with the OpenAPI document of an API. Builds it for each request, and loads its code on first use. */
export function readDocument(subject: Subject): Operation {
  return {
    id: `sim.openapi.${subject}`,
    authenticated: false,
    run: async ({ request }) => json(200, await documentOf(subject, request)),
  }
}

/** Responds with both documents as a page without scripts, fonts, images or any other external resource. */
export const readPage: Operation = {
  id: 'sim.docs',
  authenticated: false,
  async run({ request }) {
    const [service, control, { pageOf, STYLE_HASH }] = await Promise.all([
      documentOf('service', request),
      documentOf('control', request),
      import('./page/page.js'),
    ])
    const token = new URLSearchParams(request.query).get('token')
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'x-content-type-options': 'nosniff',
        // The URL may contain the token of the control API.
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      },
      body: pageOf({ service, control, token: token ?? undefined }),
    }
  },
}

async function documentOf(subject: Subject, { origin }: ApiRequest): Promise<OpenApiDocument> {
  if (subject === 'control') return (await import('./control/document.js')).controlDocument(origin)
  return (await import('./service/document.js')).serviceDocument(origin)
}
