import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'

/** Only the user may read the file. */
const PRIVATE = 0o600

/**
 * Checks that a command may write a file.
 * @param force whether it may overwrite a file
 * @throws UsageError if the file exists
 */
export function requireNewFile(path: string, force: boolean): void {
  if (existsSync(path) && !force)
    throw new UsageError(`${path} already exists. Give another name, or pass --force to overwrite it.`)
}

/**
 * Writes a text file.
 * @param isPrivate whether only the user may read it
 * @throws UsageError if it cannot be written
 */
export function writeTextFile(path: string, text: string, isPrivate = false): void {
  try {
    // An existing file keeps its mode. A device, such as /dev/null, must keep it.
    if (isPrivate && statSync(path, { throwIfNoEntry: false })?.isFile()) chmodSync(path, PRIVATE)
    writeFileSync(path, text, isPrivate ? { mode: PRIVATE } : {})
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${(error as Error).message}`)
  }
}
