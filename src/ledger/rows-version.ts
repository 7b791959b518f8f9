/**
 * The version of the rows in state files and ledgers. A change that makes earlier rows invalid increases it.
 * 1: tasksim 0.1. 2: requests have the real time, and the bytes of uploads are rows of their own.
 */
export const ROWS_VERSION = 2

/**
 * Says that rows have another version, and what to do.
 * @param shown the version as it was found
 * @param anew how to begin with a new state
 */
export function otherVersion(what: string, shown: string, anew: string): string {
  const isEarlier = Number(shown) < ROWS_VERSION
  const remedy = isEarlier
    ? `An earlier tasksim wrote it. Continue with that tasksim, or ${anew}.`
    : 'Install the latest version: npm install tasksim@latest'
  return `${what} has version ${shown}, but this tasksim reads version ${ROWS_VERSION}. ${remedy}`
}
