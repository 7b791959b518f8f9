import { Transform } from 'node:stream'
import type { Replacements } from './upstream.js'

/** Replaces the start of the URLs with which texts in JSON begin. The JSON may arrive in pieces. */
class UrlReplacer {
  readonly #targets: ReadonlyMap<string, string>
  readonly #pattern: RegExp
  readonly #longest: number
  #rest = ''

  constructor(replacements: Replacements) {
    // Some services escape slashes.
    const escaped = replacements.map(([from, to]) => [withSlashes(from), withSlashes(to)] as const)
    this.#targets = new Map([...replacements, ...escaped].map(([from, to]) => [`"${from}`, `"${to}`]))
    const froms = [...this.#targets.keys()].sort((one, other) => other.length - one.length)
    this.#pattern = new RegExp(`(?:${froms.map(literal).join('|')})(?=[/?#"\\\\]|$)`, 'g')
    this.#longest = froms[0]?.length ?? 0
  }

  /** Replaces URLs in a piece. Keeps back its end if that may be the start of a URL. */
  write(piece: string): string {
    const text = this.#rest + piece
    const end = text.length - this.#possibleStart(text)
    this.#rest = text.slice(end)
    return this.#replaceIn(text.slice(0, end))
  }

  /** Returns what was kept back. */
  end(): string {
    const text = this.#replaceIn(this.#rest)
    this.#rest = ''
    return text
  }

  #replaceIn(text: string): string {
    return text.replace(this.#pattern, (from) => this.#targets.get(from) ?? from)
  }

  /** The number of characters at the end that may be the start of a URL. */
  #possibleStart(text: string): number {
    const quote = text.lastIndexOf('"')
    const length = quote === -1 ? 0 : text.length - quote
    if (length > this.#longest) return 0
    const end = text.slice(text.length - length)
    return [...this.#targets.keys()].some((from) => from.startsWith(end)) ? length : 0
  }
}

/** Replaces URLs in a body whose pieces pass through. Keeps all other bytes. */
export function urlReplacement(replacements: Replacements): Transform {
  const replacer = new UrlReplacer(replacements)
  // Latin-1 has one character for each byte.
  return new Transform({
    transform(piece: Buffer, _, done) {
      done(null, Buffer.from(replacer.write(piece.toString('latin1')), 'latin1'))
    },
    flush(done) {
      done(null, Buffer.from(replacer.end(), 'latin1'))
    },
  })
}

/** Replaces URLs in a whole body. */
export function replaceUrls(body: Buffer, replacements: Replacements): Buffer {
  const replacer = new UrlReplacer(replacements)
  return Buffer.from(replacer.write(body.toString('latin1')) + replacer.end(), 'latin1')
}

/** Replaces the URL at the start of the value of a header, or after `<` as in `Link`. */
export function replaceInHeader(value: string, replacements: Replacements): string {
  return replacements.reduce(
    (text, [from, to]) =>
      text.replace(new RegExp(`(^|<)${literal(from)}(?=[/?#>]|$)`, 'g'), (_, before) => before + to),
    value,
  )
}

function withSlashes(text: string): string {
  return text.replaceAll('/', '\\/')
}

function literal(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}
