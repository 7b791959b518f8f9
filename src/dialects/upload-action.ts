import type { NewUpload, Upload } from '../engine/assets/upload.js'
import type { JsonObject } from '../engine/json.js'
import type { Reply } from '../exchange/exchange.js'
import type { Call } from './call.js'
import type { ItemPage, ItemQuery } from './item-page.js'

/** Keeps a file that the client sends or announces. */
export interface UploadAction {
  readonly operation: 'files.upload'
  /** Where the file is: in the body, in a form, sent later to the URL of the upload, or in parts to this operation. */
  readonly from: 'body' | 'form' | 'url' | 'resumable'
  /** The field of the form that holds the file. */
  readonly field: string
  /**
   * Reads how to keep the file.
   * @param fields the other fields of the form, or the JSON of the body; empty if the file is the body
   * @throws Problem if the service would reject the request
   */
  decode(fields: JsonObject, call: Call): UploadOrder
  /** The URL of this operation, as the client has called it, without a query. */
  url(call: Call): string
  encode(upload: OwnUpload, call: Call): Reply
}

/** How to keep a file; undefined fields come from the request. */
export interface UploadOrder extends Pick<NewUpload, 'kept' | 'lifetime' | 'ownId'> {
  /** How long the service processes a file, in milliseconds, by the first part of its type, such as `video`. */
  readonly processing?: Readonly<Record<string, number>> | undefined
  readonly name: string | undefined
  readonly contentType: string | undefined
}

/** An upload and its signed URL. */
export interface OwnUpload {
  readonly upload: Upload
  readonly url: string
}

/** Answers with the upload in the path, or deletes it. */
export interface OneUploadAction {
  readonly operation: 'files.retrieve' | 'files.delete'
  /** Reads the id of the upload. */
  id(call: Call): string
  encode(upload: OwnUpload, call: Call): Reply
}

/** Lists the uploads of the API key, newest first. */
export interface ListUploadsAction {
  readonly operation: 'files.list'
  /** @throws Problem if the service would reject the request */
  decode(call: Call): ItemQuery
  encode(page: ItemPage<OwnUpload>, call: Call): Reply
}
