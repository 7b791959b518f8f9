import type { Operation, Route } from '../http/operation.js'
import { documentOf } from './read-document.js'

/**
 * Shows both documents as a page that needs nothing but itself: no script, no font, no picture, no network.
 * @param routes the table of routes, which the operation itself is part of
 */
export function readPage(routes: () => readonly Route[]): Operation {
  return {
    id: 'sim.docs',
    authenticated: false,
    async run({ request }) {
      const [service, control, { pageOf, STYLE_HASH }] = await Promise.all([
        documentOf('service', routes(), request),
        documentOf('control', routes(), request),
        import('./page/page.js'),
      ])
      const token = new URLSearchParams(request.query).get('token')
      return {
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'x-content-type-options': 'nosniff',
          // Its address may hold the token of the control API.
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        },
        body: pageOf({ service, control, token: token ?? undefined }),
      }
    },
  }
}
