import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type LocalServer, serveHere } from '../support/receiver.js'
import type { Bundle } from './bundle.js'

const WORKER = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' }

/** Serves a page, the worker of MSW, and two paths for requests of the page outside the API. */
export function servePage({ files }: Bundle): Promise<LocalServer> {
  const bodies = new Map([...files, ['mockServiceWorker.js', readFileSync(WORKER)], ['own', 'own']])
  return serveHere((request, response) => {
    const path = request.url?.slice(1).replace(/\?.*/, '') || 'index.html'
    const body = bodies.get(path)
    if (request.method === 'POST') response.writeHead(path === 'hook' ? 202 : 404)
    else if (body === undefined) response.writeHead(404)
    else response.writeHead(200, { 'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain' })
    response.end(request.method === 'GET' ? body : undefined)
  })
}
