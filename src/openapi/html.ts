/** HTML that needs no escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | readonly Piece[] | undefined

/** Builds HTML from a template. Escapes every value that is not HTML. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, index) => part + render(pieces[index])).join(''))
}

function render(piece: Piece): string {
  if (piece === undefined) return ''
  if (piece instanceof Html) return piece.text
  return Array.isArray(piece) ? piece.map(render).join('') : escaped(String(piece))
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

/** Converts the Markdown of descriptions, which have only paragraphs, and code between backticks. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

/** Converts one line with code between backticks. */
export function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
