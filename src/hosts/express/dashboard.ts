import { brotliDecompressSync } from 'node:zlib'
import type { RequestHandler, Response } from 'express'
import type { ApiRequest } from '../../exchange/exchange.js'
import { readPackageFile } from './package-files.js'

const PAGE = /^\/_sim(?:\/|\/(assets\/[\w.-]+|scenario\.schema\.json))?$/

/** The JSON Schema of scenarios, which the page and other editors read. It is not part of the build of the page. */
const SCHEMA = 'scenario.schema.json'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/schema+json',
}

/** The page loads and requests nothing from other servers. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const SAFE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Whether a request is for a file of the page, which contains no data of the simulator. */
export function isDashboardFile({ method, path }: Pick<ApiRequest, 'method' | 'path'>): boolean {
  return (method === 'GET' || method === 'HEAD') && path.startsWith('/_sim') && PAGE.test(path)
}

/**
 * Serves the dashboard's page at `/_sim/`, from files that are read on first use. They contain no data of the
 * simulator, so they need no token. The page's requests to the control API do need it.
 * @param isRoot whether the app also serves the root, which then redirects browsers to the page
 */
export function dashboard(isRoot: () => boolean): RequestHandler {
  const files = new Map<string, Promise<Buffer | undefined>>()
  const load = (name: string) => {
    const known = files.get(name)
    if (known !== undefined) return known
    const file = readPageFile(name).catch(() => undefined)
    files.set(name, file)
    // Missing files are not cached, because a client may request any name.
    file.then((bytes) => bytes === undefined && files.delete(name))
    return file
  }
  return (request, response, next) => {
    const { method, path, baseUrl } = request
    if (method !== 'GET' && method !== 'HEAD') return next()
    if (path === '/' && isRoot() && wantsPage(request.headers.accept))
      return response.redirect(302, `${baseUrl}/_sim/${queryOf(request.url)}`)
    const match = PAGE.exec(path)
    if (match === null) return next()
    if (path === '/_sim') return response.redirect(302, `${baseUrl}/_sim/${queryOf(request.url)}`)
    const name = match[1] ?? 'index.html'
    load(name)
      .then((bytes) => (bytes === undefined ? next() : send(response, name, bytes)))
      .catch(next)
  }
}

/** The bytes of a file, which the package may contain compressed. */
async function readPageFile(name: string): Promise<Buffer> {
  const path = pathOf(name)
  try {
    return await readPackageFile(path)
  } catch {
    return brotliDecompressSync(await readPackageFile(`${path}.br`))
  }
}

function pathOf(name: string): string {
  return name === SCHEMA ? `dist/${name}` : `dist/dashboard/${name}`
}

function send(response: Response, name: string, bytes: Buffer): void {
  response
    .writeHead(200, {
      'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'content-length': bytes.length,
      // The names of assets change with their content.
      'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...SAFE_HEADERS,
    })
    .end(bytes)
}

function wantsPage(accept = ''): boolean {
  return accept.includes('text/html')
}

function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark)
}
