import type { JsonValue } from '../../../../engine/json.js'
import type { Call } from '../../../call.js'
import type { ListUploadsAction, OneUploadAction, OwnUpload, UploadAction } from '../../../upload-action.js'
import { replyFrom, replyWith } from '../../answers/reply-with.js'
import type {
  DeleteUploadOperation,
  DialectTable,
  ListUploadsOperation,
  RetrieveUploadOperation,
  UploadOperation,
} from '../../dialect-table.generated.js'
import { checkPresent } from '../../requests/check-present.js'
import { readItemQuery } from '../../requests/item-query.js'
import { baseOf, calledBaseOf, mountOf, type OperationPlace } from '../../requests/operation-place.js'
import { REQUEST_VALUES, type RequestScope } from '../../requests/request-values.js'
import { compileTemplate } from '../../template/compile.js'
import type { Template } from '../../template/template.js'
import { UPLOAD_LIST_VALUES, UPLOAD_VALUES, type UploadListScope, type UploadScope } from './upload-values.js'

/** Keeps files as a table describes. */
export function uploadAction(
  table: DialectTable,
  upload: UploadOperation,
  place: OperationPlace,
): UploadAction {
  const { from = 'body', file = 'file', require = [], lifetime, status = 200, answer } = upload
  const { parameters } = place
  const readName = compileTemplate<RequestScope>(upload.name ?? null, REQUEST_VALUES)
  const readType = compileTemplate<RequestScope>(upload.content_type ?? null, REQUEST_VALUES)
  const readId = compileTemplate<RequestScope>(upload.id ?? null, REQUEST_VALUES)
  const readKept = compileTemplate<RequestScope>(upload.keep ?? null, REQUEST_VALUES)
  const write = uploadWriter(table, place, answer)
  return {
    operation: 'files.upload',
    from,
    field: file,
    decode(body, call) {
      checkPresent(body, require)
      const scope = { body, call, parameters }
      return {
        name: textOf(readName(scope)),
        contentType: textOf(readType(scope)),
        kept: readKept(scope) ?? undefined,
        lifetime,
        ownId: textOf(readId(scope)),
        processing: upload.processing,
      }
    },
    url: (call) => calledBaseOf(call, place) + call.request.path.slice(mountOf(call, place).length),
    encode: (own, call) => replyWith(status, () => JSON.stringify(write(own, call))),
  }
}

/** Answers with an upload, or deletes it, as a table describes. */
export function oneUploadAction(
  table: DialectTable,
  {
    action,
    status = action === 'delete_upload' ? 204 : 200,
    answer,
  }: RetrieveUploadOperation | DeleteUploadOperation,
  place: OperationPlace,
): OneUploadAction {
  const write = uploadWriter(table, place, answer)
  const index = place.parameters.indexOf('upload_id')
  return {
    operation: action === 'delete_upload' ? 'files.delete' : 'files.retrieve',
    id: ({ params }) => params[index] ?? '',
    encode: (own, call) => replyWith(status, () => JSON.stringify(write(own, call))),
  }
}

/** Lists uploads as a table describes. */
export function listUploadsAction(
  table: DialectTable,
  list: ListUploadsOperation,
  place: OperationPlace,
): ListUploadsAction {
  const { status = 200, answer = '{{uploads}}' } = list
  const write = uploadWriter(table, place)
  const read = compileTemplate<UploadListScope>(answer, UPLOAD_LIST_VALUES)
  return {
    operation: 'files.list',
    decode: (call) => readItemQuery(call, list),
    encode({ items, nextCursor }, call) {
      const uploads = items.map((own) => write(own, call))
      return replyFrom(status, read, { uploads, nextCursor, base: baseOf(call, place) })
    },
  }
}

function uploadWriter({ upload = { url: '{{url}}' } }: DialectTable, place: OperationPlace, own?: Template) {
  const read = compileTemplate<UploadScope>(own ?? upload, UPLOAD_VALUES)
  return (file: OwnUpload, call: Call): JsonValue =>
    read({ ...file, now: call.sim.clock.now(), base: baseOf(call, place) }) ?? {}
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
