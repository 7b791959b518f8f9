import type { Call } from '../../dialects/call.js'
import { replyWith } from '../../dialects/table/answers/task-answer.js'
import type { DialectTable, UploadOperation } from '../../dialects/table/dialect-table.generated.js'
import { UPLOAD_VALUES, type UploadScope } from '../../dialects/table/operation-values.js'
import { checkPresent } from '../../dialects/table/requests/check-present.js'
import { baseOf, calledBaseOf, type Endpoint, mountOf } from '../../dialects/table/requests/endpoint.js'
import { REQUEST_VALUES, type RequestScope } from '../../dialects/table/requests/request-values.js'
import { compileTemplate } from '../../dialects/table/template/compile.js'
import type { Template } from '../../dialects/table/template/template.js'
import type { NewUpload, Upload } from '../../engine/assets/upload.js'
import type { Uploads } from '../../engine/assets/uploads.js'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import type { Reply } from '../../exchange/exchange.js'
import { invalid, Problem } from '../../exchange/problem.js'
import type { ServiceExchange } from '../operation.js'

/** How to keep a file; undefined fields come from the request. */
interface UploadOrder extends Pick<NewUpload, 'kept' | 'lifetime' | 'ownId'> {
  readonly name: string | undefined
  readonly contentType: string | undefined
}

/** An upload and its signed URL. */
export type OwnUpload = Pick<UploadScope, 'upload' | 'url' | 'outputUrl'>

/** The requests that upload files, and their answers, as a table describes them. */
export interface UploadForm {
  /** How long the service processes a file, in milliseconds, by the first part of its type, such as `video`. */
  readonly processing: UploadOperation['processing']
  /**
   * Reads how to keep the file.
   * @param fields the other fields of the form, or the JSON of the body; empty if the file is the body
   * @throws Problem if the service would reject the request
   */
  read(fields: JsonObject, call: Call): UploadOrder
  /** The URL of the operation, as the client has called it, without a query. */
  url(call: Call): string
  write(upload: OwnUpload, call: Call): Reply
}

/** Compiles the form of uploads. */
export function uploadForm(upload: UploadOperation, endpoint: Endpoint): UploadForm {
  const { require = [], lifetime, status = 200, answer, processing } = upload
  const { parameters, table } = endpoint
  const [readName, readType, readId, readKept] = (['name', 'content_type', 'id', 'keep'] as const).map(
    (field) => compileTemplate<RequestScope>(upload[field] ?? null, REQUEST_VALUES),
  )
  const write = uploadWriter(table, endpoint, answer)
  return {
    processing,
    read(body, call) {
      checkPresent(body, require)
      const scope = { body, call, parameters }
      return {
        name: textOf(readName?.(scope)),
        contentType: textOf(readType?.(scope)),
        kept: readKept?.(scope) ?? undefined,
        lifetime,
        ownId: textOf(readId?.(scope)),
      }
    },
    url: (call) => calledBaseOf(call, endpoint) + call.request.path.slice(mountOf(call, endpoint).length),
    write: (own, call) => replyWith(status, () => JSON.stringify(write(own, call))),
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns a function that writes an upload.
 * @param own another template in place of that of the table
 */
export function uploadWriter(
  { upload = { url: '{{url}}' } }: DialectTable,
  endpoint: Endpoint,
  own?: Template,
): (own: OwnUpload, call: Call) => JsonValue {
  const read = compileTemplate<UploadScope>(own ?? upload, UPLOAD_VALUES)
  return (file, call) => read({ ...file, now: call.sim.clock.now(), base: baseOf(call, endpoint) }) ?? {}
}

const OWN_ID = /^[\w.-]{1,100}$/

/**
 * The settings of an upload that depend on its type, its owner and other uploads.
 * @throws Problem 400 or 409 if the client has chosen an id that is not possible
 */
export function ownSettings(
  { owner, dialect, contentType }: Pick<NewUpload, 'owner' | 'dialect' | 'contentType'>,
  uploads: Uploads,
  { processing = {} }: UploadForm,
  ownId: string | undefined,
): Pick<NewUpload, 'ownId' | 'processing'> {
  if (ownId !== undefined && !OWN_ID.test(ownId))
    throw invalid('field', 'name', ownId, 'at most 100 letters, digits, `.`, `_` and `-`')
  if (ownId !== undefined && uploads.named(ownId, owner, dialect) !== undefined)
    throw new Problem('conflict', `The upload ${ownId} already exists. Choose another name.`)
  const [type = ''] = contentType.split('/')
  return { ownId, processing: Object.hasOwn(processing, type) ? processing[type] : undefined }
}

/**
 * The upload with an id.
 * @throws Problem 404 if it does not exist, or belongs to another key or dialect
 */
export function uploadOf({ key, dialect }: ServiceExchange, uploads: Uploads, id: string): Upload {
  const upload = uploads.named(id, key, dialect.name) ?? uploads.get(id)
  if (upload?.owner === key && upload.dialect === dialect.name) return upload
  throw missingUpload(id)
}

export function missingUpload(id: string): Problem {
  const message = `There is no upload ${id.slice(0, 100)} that this API key could see: it was deleted, or never made.`
  return new Problem('not_found', message, { cause: 'upload_not_found' })
}

/** An upload with its URL, as the client of a request reaches it. */
export function ownUpload({ sim, request }: ServiceExchange, uploads: Uploads, upload: Upload): OwnUpload {
  return { upload, url: uploads.urls.of(upload, sim.publicOrigin(request.origin)) }
}
