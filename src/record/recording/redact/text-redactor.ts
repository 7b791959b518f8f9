import { findPatterns } from '../../../engine/secret-patterns.js'
import { redactedText } from '../redacted-text.js'
import { LONGEST_BASE64 } from './encodings.js'
import { findInPaths, findNamed } from './find-named.js'
import { findRandom } from './find-random.js'
import { decodedUrl, findUrls } from './find-urls.js'
import type { HiddenTexts } from './hidden-texts.js'
import type { View } from './view.js'
import { type Found, replaceFound, viewsOf } from './views.js'

/** Data URLs and long base64 are files. */
const DATA = /\bdata:[\w/+.-]{0,80}(?:;[\w=.-]{0,80}){0,4},[\w+/=%.~-]{160,}|(?<![\w+/-])[\w+/-]{201,}={0,2}/g
/** Times in the queries of signed URLs are not secret. */
const TIME = /^\d{4}-\d\d-\d\d|^1\d{9}(?:\d{3})?$/
/** A secret with fewer characters could be a word. */
const RANDOM = /^(?=\S*\d)\S{8,}$|^[\s\S]{14,}$/
const PUNCTUATION = /[.,;:!?'"()[\]{}]+$/
/** The bytes of a text in UTF-8, with one character for each. */
const BYTES = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/

/** What the redaction of texts depends on. */
interface TextSettings {
  readonly salt: string
  /** The origins of the service. The queries of URLs on other hosts are masked completely. */
  readonly origins: ReadonlySet<string>
  readonly hidden: HiddenTexts
  /** Whether a text is an id of the service, and not a key. */
  readonly isId: (text: string) => boolean
  /** Whether the path of an operation has a segment. */
  readonly isOperation: (segment: string) => boolean
  /** Receives texts that may contain JSON. */
  readonly learn: (text: string) => void
}

/** Removes secrets and files from texts, however they are encoded. */
export class TextRedactor {
  readonly #settings: TextSettings
  /** The number of texts in texts that are being read. */
  #depth = 0

  constructor(settings: TextSettings) {
    this.#settings = settings
  }

  /** Remembers a secret, so that it is masked in all other places, too. */
  hide(secret: string): void {
    if (RANDOM.test(secret) && !TIME.test(secret)) this.#settings.hidden.add(secret, undefined)
  }

  /**
   * Removes secrets, and replaces files by redacted texts.
   * @param mayBeId whether a text that looks random may be an id
   */
  redact(text: string, mayBeId = false): string {
    if (text.length < SHORTEST) return text
    const views = viewsOf(text)
    const isKnown = this.#knownIn(views).length > 0
    const found = this.#foundIn(views, mayBeId)
    if (!isKnown) return replaceFound(text, found)
    // What was found now is known as well, also if a known text was a part of its name.
    const rest = replaceFound(text, this.#knownIn(views))
    return replaceFound(rest, this.#foundIn(viewsOf(rest), mayBeId))
  }

  /** Finds what is known to be secret, or has the name of a secret or the form of a key. */
  findSecrets(text: string): Found[] {
    const views = viewsOf(text)
    const named = views.flatMap((view) =>
      view.kind === 'text' ? placed(view, [...findNamed(view.text), ...findPatterns(view.text)]) : [],
    )
    return [...this.#knownIn(views), ...named]
  }

  /** Finds what is known to be secret. */
  #knownIn(views: readonly View[]): Found[] {
    const { hidden } = this.#settings
    return hidden.size === 0 ? [] : views.flatMap((view) => placed(view, hidden.find(view.text)))
  }

  #foundIn(views: readonly View[], mayBeId: boolean): Found[] {
    return views.flatMap((view) => {
      if (view.kind === 'text') return this.#inView(view, mayBeId)
      return view.kind === 'list' ? placed(view, findPatterns(view.text)) : []
    })
  }

  #inView(view: View, mayBeId: boolean): Found[] {
    const { origins, isId, isOperation } = this.#settings
    const files = this.#files(view.text)
    // By chance, a long file contains what looks like a secret.
    const text = withoutFiles(view.text, files)
    const urls = findUrls(text, (origin) => origins.has(origin))
    const found = [
      ...urls.flatMap(({ secrets }) => secrets),
      ...files,
      ...findNamed(text),
      ...findInPaths(text, isOperation),
      ...findPatterns(text).map((each) => ({ ...each, isSecret: true })),
      ...(mayBeId
        ? []
        : findRandom(
            text,
            urls.flatMap(({ ids }) => ids),
            isId,
          )),
    ]
    for (const { start, end, isSecret } of found)
      if (isSecret === true) this.#hideIn(view.text.slice(start, end))
    this.#learnFrom(text)
    return placed(view, found)
  }

  #learnFrom(text: string): void {
    if (this.#depth >= DEEPEST) return
    this.#depth += 1
    try {
      this.#settings.learn(text)
    } finally {
      this.#depth -= 1
    }
  }

  #files(text: string): Found[] {
    if (text.length <= LONGEST_BASE64) return []
    return [...text.matchAll(DATA)].flatMap(({ 0: data, index }) =>
      data.length > LONGEST_BASE64
        ? [{ start: index, end: index + data.length, replacement: redactedText(this.#settings.salt, data) }]
        : [],
    )
  }

  /** Hides a text as it was written, and without the escapes and the punctuation around it. */
  #hideIn(text: string): void {
    const decoded = fromBytes(text)
    for (const each of new Set([text, decoded, text.replace(PUNCTUATION, ''), decodedUrl(decoded)]))
      this.hide(each)
  }
}

/** JSON in texts in JSON. */
const DEEPEST = 2
/** Shorter texts have no secret that can be told from a word. */
const SHORTEST = 4

function placed(view: View, found: readonly Found[]): Found[] {
  return found.map((each) => ({ ...each, ...view.place(each.start, each.end) }))
}

/** A text with an x for each character of its files. */
function withoutFiles(text: string, files: readonly Found[]): string {
  return replaceFound(
    text,
    files.map(({ start, end }) => ({ start, end, replacement: 'x'.repeat(end - start) })),
  )
}

function fromBytes(text: string): string {
  if (!BYTES.test(text)) return text
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)))
}
