import { hasSecretStem } from '../../../engine/secret-names.js'
import { isWord } from './secret-names.js'
import type { Found } from './views.js'

/** Two segments of a path, the first of which may name the second. */
const SEGMENTS = /(?<=[\\/])([a-z_$][\w$.-]{1,79})[\\/](?=([^\s\\/?#"'`<>&,;:()[\]{}]{4,200}))/gi
/** Names of a part of a path that often say nothing about what follows. */
const PARTS = new Set('private connection license licence auth authn oauth pass cookie'.split(' '))
const VERSION = /^v\d[\w.]*$/i

/**
 * Finds secrets in paths, such as `/password/x` or `/token/x`. Words are kept: they are often operations.
 * @param isOperation whether a path of the service has this segment
 */
export function* findInPaths(text: string, isOperation: (segment: string) => boolean): Generator<Found> {
  for (const { 0: before, 1: name = '', 2: value = '', index } of text.matchAll(SEGMENTS)) {
    if (!isSecretSegment(name) || isOperation(name) || isWord(value) || VERSION.test(value)) continue
    const start = index + before.length
    yield { start, end: start + value.length, isSecret: true }
  }
}

function isSecretSegment(name: string): boolean {
  return hasSecretStem(name) && !PARTS.has(name.toLowerCase())
}
