import { replyFrom, replyWith } from '../../dialects/table/answers/task-answer.js'
import type {
  DeleteUploadOperation,
  ListUploadsOperation,
  RetrieveUploadOperation,
  UploadOperation,
} from '../../dialects/table/dialect-table.generated.js'
import { type ItemPageScope, UPLOAD_LIST_VALUES } from '../../dialects/table/operation-values.js'
import { baseOf, type Endpoint } from '../../dialects/table/requests/endpoint.js'
import { compileTemplate } from '../../dialects/table/template/compile.js'
import { isShown } from '../../engine/assets/uploads.js'
import { readPage } from '../item-page.js'
import type { ServiceHandler } from '../operation.js'
import { outputAsUpload } from './output-as-upload.js'
import { readUpload, UNKNOWN_TYPE, withinBudget } from './read-upload.js'
import { resumableUpload } from './resumable-upload.js'
import { missingUpload, ownSettings, ownUpload, uploadForm, uploadOf, uploadWriter } from './upload-form.js'

/** Keeps the file of a request, or announces a file that the client sends to the URL of the upload. */
export function keepUpload(upload: UploadOperation, endpoint: Endpoint): ServiceHandler {
  const form = uploadForm(upload, endpoint)
  if (upload.from === 'resumable') return (exchange) => resumableUpload(exchange, form)
  return async (exchange) => {
    const { sim, key, dialect } = exchange
    const { file, fields } = await readUpload(exchange, upload)
    const { name, contentType, ownId, ...order } = form.read(fields, exchange)
    const announced = {
      ...order,
      owner: key,
      dialect: dialect.name,
      name: name ?? file?.name ?? 'file',
      contentType: contentType ?? file?.contentType ?? UNKNOWN_TYPE,
    }
    const uploads = await sim.uploads()
    const settings = ownSettings(announced, uploads, form, ownId)
    const kept = await withinBudget(sim, () =>
      file === undefined
        ? uploads.announce({ ...announced, ...settings })
        : uploads.add({ ...announced, ...settings, bytes: file.bytes }),
    )
    return form.write(ownUpload(exchange, uploads, kept), exchange)
  }
}

/** Answers with the upload in the path, or deletes it. */
export function oneUpload(
  { action, answer, ...given }: RetrieveUploadOperation | DeleteUploadOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const isDeletion = action === 'delete_upload'
  const outputs = 'outputs' in given ? given.outputs : undefined
  const { status = isDeletion ? 204 : 200 } = given
  const write = uploadWriter(endpoint.table, endpoint, answer)
  const index = endpoint.parameters.indexOf('upload_id')
  return async (exchange) => {
    const id = exchange.params[index] ?? ''
    const output = outputs && (await outputAsUpload(exchange, id, outputs, endpoint))
    if (output !== undefined) return replyWith(status, () => JSON.stringify(write(output, exchange)))
    const uploads = await exchange.sim.uploads()
    const upload = uploadOf(exchange, uploads, id)
    if (!isShown(upload)) throw missingUpload(id)
    const own = ownUpload(exchange, uploads, upload)
    const reply = replyWith(status, () => JSON.stringify(write(own, exchange)))
    if (isDeletion) uploads.delete(upload.id)
    return reply
  }
}

/** Answers with the uploads of the API key, newest first. */
export function listUploads(list: ListUploadsOperation, endpoint: Endpoint): ServiceHandler {
  const { status = 200, answer = '{{uploads}}' } = list
  const write = uploadWriter(endpoint.table, endpoint)
  const read = compileTemplate<ItemPageScope>(answer, UPLOAD_LIST_VALUES)
  return async (exchange) => {
    const { sim, key, dialect } = exchange
    const uploads = await sim.uploads()
    const { items, nextCursor } = readPage(uploads.list(key, dialect.name), exchange, list)
    const shown = items.map((upload) => write(ownUpload(exchange, uploads, upload), exchange))
    return replyFrom(status, read, { items: shown, nextCursor, base: baseOf(exchange, endpoint) })
  }
}
