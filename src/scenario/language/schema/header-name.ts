import * as v from 'valibot'
import { HEADER_NAME, whyNotAddable, whyNotSettable } from '../../../engine/requests/settable-headers.js'
import { textLike } from './parts.js'

/** What a field with the name of a header expects. */
export const HEADER_FORM = 'expected the name of a header, such as Authorization'

/** The name of a header of requests. */
export const headerName = textLike(HEADER_NAME, HEADER_FORM)

/** The name of a header to set in an answer or a webhook. */
export const settableHeader = checkedBy(whyNotSettable)

/** The name of a header to add to a webhook. */
export const addableHeader = checkedBy(whyNotAddable)

/** The value of a header that a file gives as it is sent. */
export const headerText = textLike(/^[\t\x20-\x7e]*$/, 'expected printable ASCII')

/** The type of a body, such as text/plain. */
export const contentType = textLike(/^[\x20-\x7e]+$/, 'expected printable ASCII, such as text/plain')

function checkedBy(whyNot: (name: string) => string | undefined) {
  return v.pipe(
    headerName,
    v.check(
      (name) => !HEADER_NAME.test(name) || whyNot(name) === undefined,
      ({ input }) => whyNot(input) ?? '',
    ),
  )
}
