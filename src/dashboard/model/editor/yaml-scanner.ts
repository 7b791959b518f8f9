/** A step of a path in a YAML document: a key, or 0 for any item of a list. */
export type Step = string | 0

/** A mapping or a list that contains the position of the scanner. */
export interface Collection {
  readonly kind: 'mapping' | 'list'
  readonly path: readonly Step[]
  /** The column of its entries; undefined inside braces or brackets. */
  readonly indent: number | undefined
  /** The keys of a mapping so far. */
  readonly keys: Set<string>
  /** The key of the current value; undefined before a key. */
  key: string | undefined
}

/** What the position of the scanner is in. `end` is after a complete value. */
export type Place = 'line start' | 'value' | 'flow' | 'end' | 'comment' | 'block text'

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#,[\]{}&*!|>](?:[^:#]|:(?!\s|$)|(?<!\s)#)*?)\s*:(?=\s|$)/
const QUOTED = /^(?:"(?:[^"\\]|\\.)*("?)|'[^']*('?))/
const FLOW_WORD = /^(?:[^,[\]{}:#\s]|:(?![\s,[\]{}]|$)|(?<!\s)#|\s+(?=[^\s,[\]{}:#]))+/
const PROPERTY = /^[&*!][^\s,[\]{}]*/
const DASH = /^-(?:\s+|$)/

/**
 * Follows the structure of a YAML document up to a position, even if the document is incomplete or wrong. It knows
 * block and flow collections, quotes, comments and block texts. Texts over several lines outside of these may mislead
 * it until the next line with a key.
 */
export class YamlScanner {
  readonly #stack: Collection[] = []
  /** The column of the entry that has a block text (`|` or `>`). */
  #blockText: number | undefined
  #quote = ''
  place: Place = 'line start'
  /** The column of the content of the last line. */
  column = 0
  /** The end of the text that belongs to the current word, including its opening quote. */
  word = ''

  /** The innermost collection if it is in braces or brackets. */
  get flow(): Collection | undefined {
    const top = this.#stack.at(-1)
    return top?.indent === undefined ? top : undefined
  }

  /** The path of the value at the position. */
  get valuePath(): readonly Step[] {
    const top = this.#stack.at(-1)
    if (top === undefined) return []
    return [...top.path, top.kind === 'list' ? 0 : (top.key ?? '')]
  }

  /** Reads text that begins with a line or, inside braces or brackets, anywhere. */
  read(text: string): void {
    for (const line of text.split('\n')) {
      this.word = ''
      if (this.flow !== undefined || this.#quote !== '') this.#inline(line)
      else this.#line(line)
    }
  }

  /** The collection whose entries begin in a column. It becomes the innermost one. */
  collectionAt(indent: number, kind: Collection['kind']): Collection {
    const isOver = ({ indent: own = Infinity, kind: its }: Collection) =>
      own > indent || (own === indent && its === 'list' && kind === 'mapping')
    for (let top = this.#stack.at(-1); top !== undefined && isOver(top); top = this.#stack.at(-1))
      this.#stack.pop()
    const top = this.#stack.at(-1)
    return top?.indent === indent && top.kind === kind ? top : this.#enter(kind, indent)
  }

  #enter(kind: Collection['kind'], indent: number | undefined): Collection {
    const collection = { kind, path: this.valuePath, indent, keys: new Set<string>(), key: undefined }
    this.#stack.push(collection)
    return collection
  }

  #line(line: string): void {
    this.place = 'line start'
    this.column = line.length - line.trimStart().length
    let rest = line.slice(this.column)
    if (this.#blockText !== undefined && this.column > this.#blockText) {
      this.place = 'block text'
      return
    }
    if (rest === '') return
    this.#blockText = undefined
    for (let dash = DASH.exec(rest); dash !== null; dash = DASH.exec(rest)) {
      this.collectionAt(this.column, 'list')
      this.column += dash[0].length
      rest = rest.slice(dash[0].length)
    }
    const [entry, key] = KEY.exec(rest) ?? []
    if (entry !== undefined && key !== undefined) {
      this.#name(this.collectionAt(this.column, 'mapping'), key)
      this.place = 'value'
      rest = rest.slice(entry.length)
    }
    this.#inline(rest)
  }

  #name(mapping: Collection, key: string): void {
    mapping.key = unquoted(key)
    mapping.keys.add(mapping.key)
  }

  #inline(line: string): void {
    if (this.flow !== undefined) this.place = 'flow'
    let rest = this.#quote === '' ? line : this.#endQuote(line)
    while (rest !== '') rest = this.#token(rest)
  }

  /** Reads a token, and returns the text after it. */
  #token(text: string): string {
    const rest = text.trimStart()
    if (rest === '') return this.#space(text)
    if (rest.startsWith('#') && (rest !== text || this.word === '')) {
      this.place = 'comment'
      return ''
    }
    const [property] = PROPERTY.exec(rest) ?? []
    if (property !== undefined) {
      this.word = property === rest ? property : ''
      return rest.slice(property.length)
    }
    if (/^["']/.test(rest)) return this.#quoted(rest)
    if (/^[[{]/.test(rest)) {
      this.#enter(rest.startsWith('{') ? 'mapping' : 'list', undefined)
      this.place = 'flow'
      this.word = ''
      return rest.slice(1)
    }
    return this.flow === undefined ? this.#plain(rest) : this.#inFlow(rest, this.flow)
  }

  #space(text: string): string {
    if (this.word === '') return ''
    if (this.flow !== undefined) this.word += text
    else {
      this.word = ''
      this.place = 'end'
    }
    return ''
  }

  /** Reads the rest of a line outside of braces and brackets. */
  #plain(rest: string): string {
    if (/^[|>]/.test(rest)) this.#blockText = this.#stack.at(-1)?.indent ?? -1
    this.word = rest
    if (/\s#/.test(rest)) this.place = 'comment'
    return ''
  }

  #inFlow(rest: string, flow: Collection): string {
    const sign = rest.charAt(0)
    if (!/[\]},:]/.test(sign)) {
      this.word = FLOW_WORD.exec(rest)?.[0] ?? sign
      return rest.slice(this.word.length)
    }
    if (sign === ':') this.#name(flow, this.word.trim())
    else flow.key = undefined
    this.word = ''
    if (sign === '}' || sign === ']') {
      this.#stack.pop()
      this.place = 'end'
    } else this.place = 'flow'
    return rest.slice(1)
  }

  #quoted(rest: string): string {
    const [quoted = rest, double, single] = QUOTED.exec(rest) ?? []
    this.word = quoted
    if (double === '' || single === '') this.#quote = quoted.charAt(0)
    return rest.slice(quoted.length)
  }

  #endQuote(line: string): string {
    const end = line.indexOf(this.#quote)
    if (end === -1) {
      this.place = 'block text'
      return ''
    }
    this.#quote = ''
    return line.slice(end + 1)
  }
}

/** The text of a scalar without its quotes, of which the last may be missing. */
export function unquoted(scalar: string): string {
  const quote = /^["']/.exec(scalar)?.[0]
  if (quote === undefined) return scalar
  return scalar.slice(1, scalar.length > 1 && scalar.endsWith(quote) ? -1 : undefined)
}
