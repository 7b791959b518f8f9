import { textLike } from './parts.js'

/** Matches the name of a header. */
export const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/
/** What a field with the name of a header expects. */
export const HEADER_FORM = 'expected the name of a header, such as Authorization'

/** The name of a header. */
export const headerName = textLike(HEADER_NAME, HEADER_FORM)
