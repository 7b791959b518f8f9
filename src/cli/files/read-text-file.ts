import { UsageError } from '../../engine/errors.js'
import { MAX_CHARACTERS } from '../../scenario/check/limits.js'
import { readRegularFile } from './read-regular-file.js'

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_BYTES = 3 * MAX_CHARACTERS

/**
 * Reads a file of YAML or JSON.
 * @param noun what the file contains, for errors
 * @param known what a name would stand for instead of a path, for errors
 * @throws UsageError if it cannot be read
 */
export function readTextFile(path: string, noun: string, known: string): string {
  try {
    return readRegularFile(path, MAX_BYTES)
  } catch (error) {
    throw new UsageError(`Cannot read the ${noun} ${path}: ${reason(error as NodeJS.ErrnoException, known)}`)
  }
}

function reason({ code, message }: NodeJS.ErrnoException, known: string): string {
  switch (code) {
    case 'ENOENT':
      return `the file does not exist. Give the path of a file, or ${known}.`
    case 'EACCES':
      return 'permission denied. Change the permissions of the file.'
    default:
      return message
  }
}
