/** HTML that may be put into a page as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | readonly Piece[] | undefined

/** A template for HTML: what is put in is escaped, unless it is HTML. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, index) => part + written(pieces[index])).join(''))
}

function written(piece: Piece): string {
  if (piece === undefined) return ''
  if (piece instanceof Html) return piece.text
  return Array.isArray(piece) ? piece.map(written).join('') : escaped(String(piece))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** The little of Markdown that descriptions are written in: paragraphs, and code between backticks. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

/** Code between backticks, within a line. */
export function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
