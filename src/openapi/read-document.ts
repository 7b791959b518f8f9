import { MAIN_DIALECT } from '../dialects/built-in.js'
import type { Dialect } from '../dialects/dialect.js'
import { UsageError } from '../engine/errors.js'
import { type ApiRequest, json, type Reply } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import type { Exchange } from '../http/operation.js'
import type { OpenApiDocument } from './openapi.js'

/** Which of the two APIs a document describes. */
type Subject = 'control' | 'service'

/** Responds with the OpenAPI document of an API. Builds it for each request. */
async function readDocument(subject: Subject, { request }: Exchange): Promise<Reply> {
  return json(200, await documentOf(subject, request))
}

/** Responds with the OpenAPI document of a dialect: that of the service, or one that the table of the dialect decides. */
async function readDialectDocument(exchange: Exchange): Promise<Reply> {
  const dialect = await dialectOf(exchange)
  if (dialect === MAIN_DIALECT) return readDocument('service', exchange)
  const { dialectDocument } = await import('./dialect/document.js')
  return json(200, dialectDocument(dialect.table, exchange.request.origin))
}

async function dialectOf({ sim, params }: Exchange): Promise<Dialect> {
  const [name = ''] = params
  try {
    return await sim.dialects.load(name)
  } catch (error) {
    throw error instanceof UsageError ? new Problem('not_found', error.message) : error
  }
}

/** Responds with both documents as a page without scripts, fonts, images or any other external resource. */
async function readPage({ sim, request }: Exchange): Promise<Reply> {
  const { dialects } = sim
  const [service, control, { pageOf, STYLE_HASH }] = await Promise.all([
    documentOf('service', request),
    documentOf('control', request),
    import('./page.js'),
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
    body: pageOf({ service, control, dialects: dialects.names, token: token ?? undefined }),
  }
}

async function documentOf(subject: Subject, { origin }: ApiRequest): Promise<OpenApiDocument> {
  if (subject === 'control') return (await import('./control-document.js')).controlDocument(origin)
  return (await import('./service/document.js')).serviceDocument(origin)
}

/** The readers of all documents, by the names of their operations. */
export const DOCUMENT_READERS = {
  'sim.openapi.control': (exchange: Exchange) => readDocument('control', exchange),
  'sim.openapi.service': (exchange: Exchange) => readDocument('service', exchange),
  'sim.openapi.dialect': readDialectDocument,
  'sim.docs': readPage,
}
