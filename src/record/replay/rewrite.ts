import { type Shift, shiftNumbers, shiftTimes } from './shift-times.js'

/** A host of the service: the start of its URLs in the recording, and that of its paths in the dialect. */
export interface RecordedBase {
  readonly url: string
  readonly path: string
}

/** How recorded texts about a task differ from what its client gets now. */
export interface Rewriting extends Shift {
  /** Longer ones come first. */
  readonly bases: readonly RecordedBase[]
  /** The index of each output file, by its URL without query and fragment. */
  readonly files: ReadonlyMap<string, number>
  baseOf(path: string): string
  urlOf(file: number): string
}

const URL_FORM = /https?:\/\/[^\s"'<>\\]+/g

/** Rewrites a recorded text for the client: times, URLs of the service and URLs of output files. */
export function rewrite(text: string, rewriting: Rewriting): string {
  const { shift } = rewriting
  const moved = shift === 0 ? text : shiftNumbers(shiftTimes(text, rewriting), rewriting)
  return moved.replace(URL_FORM, (url) => rewriteUrl(url, rewriting))
}

function rewriteUrl(url: string, { bases, files, input, baseOf, urlOf }: Rewriting): string {
  const file = files.get(bareUrl(url))
  if (file !== undefined) return urlOf(file)
  const base = bases.find((each) => startsWith(url, each.url))
  if (base === undefined || input.includes(JSON.stringify(url))) return url
  return baseOf(base.path) + url.slice(base.url.length)
}

function startsWith(url: string, base: string): boolean {
  return url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length))
}

/** A URL without query and fragment. */
export function bareUrl(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
