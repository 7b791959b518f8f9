import type { JsonObject } from '../../../engine/json.js'
import type { TextTemplate } from '../template/template.js'
import type { Answered, ItemListTable } from './shared-forms.js'

/** Keeps a file that the client sends. */
export interface UploadTable extends Answered {
  readonly action: 'upload'
  /**
   * Where the file is: in the `body`, in a `form`, sent later to the `url` of the upload, or in parts in the `resumable`
   * protocol of Google; `body` by default.
   */
  readonly from?: 'body' | 'form' | 'url' | 'resumable' | undefined
  /** The field of the form that holds the file; `file` by default. */
  readonly file?: string | undefined
  /** The name of the file, if it is not that of the file in the form. */
  readonly name?: TextTemplate | undefined
  /** The id of the upload, if the client has chosen one. */
  readonly id?: TextTemplate | undefined
  /** How long the service processes a file, in milliseconds, by the first part of its type; not at all by default. */
  readonly processing?: Readonly<Record<string, number>> | undefined
  /** The type of the file, if it is not that of the body or of the file in the form. */
  readonly content_type?: TextTemplate | undefined
  /** The fields that the request must have. */
  readonly require?: readonly string[] | undefined
  /** Values of the request that later answers need, as `{{kept.NAME}}`. */
  readonly keep?: JsonObject | undefined
  /** How long the file is kept; as long as an output URL by default. */
  readonly lifetime?: number | undefined
}

/** Answers with an upload, or deletes it. */
export interface OneUploadTable extends Answered {
  readonly action: 'retrieve_upload' | 'delete_upload'
}

/** Lists the uploads of the key. */
export interface ListUploadsTable extends Answered, ItemListTable {
  readonly action: 'list_uploads'
}
