/** Headers by lower-case name; a header that was sent several times may have several values. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers by lower-case name as a host has them: a record, or pairs that are read when they are shown. */
export type HeaderSource = HeaderRecord | Iterable<readonly [name: string, value: string]>
