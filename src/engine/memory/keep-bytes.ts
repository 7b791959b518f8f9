const MB = 1024 * 1024

/** The default limit of retained bytes: enough for a day of development on a laptop. */
export const DEFAULT_KEEP_BYTES = 512 * MB

/** A journal and a few tasks need at least this many bytes. */
const MIN_BYTES = MB

/** The valid numbers of bytes to keep, for error messages. */
export const KEEP_BYTES_FORM = 'a size such as 256MB or 2GB, or a number of bytes, from 1MB up, or Infinity'

const UNITS: Readonly<Record<string, number>> = { '': 1, kb: 1024, mb: MB, gb: 1024 * MB }

/** A number of bytes in an option: `268435456`, `'256MB'`, `'2GB'`. A kB is 1,024 bytes. */
export type ByteSize = number | `${number}${'kB' | 'MB' | 'GB'}`

/** Reads a number of bytes to keep. @returns undefined if it is invalid */
export function readKeepBytes(value: unknown): number | undefined {
  const bytes = typeof value === 'string' ? bytesIn(value) : value
  if (typeof bytes !== 'number') return undefined
  return bytes >= MIN_BYTES && (bytes === Infinity || Number.isSafeInteger(bytes)) ? bytes : undefined
}

function bytesIn(text: string): number | undefined {
  if (text === 'Infinity') return Infinity
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kmg]b)?$/i.exec(text) ?? []
  const size = UNITS[unit.toLowerCase()]
  return number === undefined || size === undefined ? undefined : Math.round(Number(number) * size)
}

/** A size for messages, such as `512 MB`. */
export function describeBytes(bytes: number): string {
  const [unit, size] = bytes >= 1024 * MB ? ['GB', 1024 * MB] : bytes >= MB ? ['MB', MB] : ['kB', 1024]
  return `${Number((bytes / size).toFixed(1))} ${unit}`
}
