import type { UploadOrder } from '../../dialects/upload-action.js'
import type { NewUpload } from '../../engine/assets/upload.js'
import type { Uploads } from '../../engine/assets/uploads.js'
import { invalid, Problem } from '../../exchange/problem.js'

const OWN_ID = /^[\w.-]{1,100}$/

/**
 * The settings of an upload that depend on its type, its owner and other uploads.
 * @throws Problem 400 or 409 if the client has chosen an id that is not possible
 */
export function ownSettings(
  uploads: Uploads,
  { ownId, processing = {} }: Pick<UploadOrder, 'ownId' | 'processing'>,
  { owner, dialect, contentType }: Pick<NewUpload, 'owner' | 'dialect' | 'contentType'>,
): Pick<NewUpload, 'ownId' | 'processing'> {
  if (ownId !== undefined && !OWN_ID.test(ownId))
    throw invalid('field', 'name', ownId, 'at most 100 letters, digits, `.`, `_` and `-`')
  if (ownId !== undefined && uploads.named(ownId, owner, dialect) !== undefined)
    throw new Problem('conflict', `The upload ${ownId} already exists. Choose another name.`)
  const [type = ''] = contentType.split('/')
  return { ownId, processing: Object.hasOwn(processing, type) ? processing[type] : undefined }
}
