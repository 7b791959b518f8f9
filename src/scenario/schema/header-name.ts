import * as v from 'valibot'
import { HEADER_FORM, HEADER_NAME, MANAGED, OF_BODY, whyNotSettable } from '../../engine/requests/headers.js'
import { textLike } from './parts.js'

/** The name of a header of requests. */
export const headerName = textLike(HEADER_NAME, HEADER_FORM)

/** The name of a header to set in an answer or a webhook. */
export const settableHeader = nameWithout()

/** The name of a header to add to a webhook. */
export const addableHeader = nameWithout(OF_BODY)

/** The name of a header to add to any answer. */
export const addedHeader = nameWithout(/^x-request-id$/i)

const PRINTABLE = 'expected printable ASCII'

/** The value of a header that a file gives as it is sent. */
export const headerText = textLike(/^[\t\x20-\x7e]*$/, PRINTABLE)

/** The type of a body, such as text/plain. */
export const contentType = textLike(/^[\x20-\x7e]+$/, PRINTABLE)

/** @param managed matches further headers that tasksim sets itself at this place */
function nameWithout(managed?: RegExp) {
  return v.pipe(
    headerName,
    v.check((name) => whyNotSettable(name, managed) !== MANAGED, MANAGED),
  )
}
