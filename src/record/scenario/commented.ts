import { Document, isCollection, isMap, isScalar, isSeq, type Node } from 'yaml'

/** The path of a field in a file. */
export type Path = readonly (string | number)[]

const WIDTH = 110

/** A YAML file with comments. */
export class CommentedYaml {
  readonly #document: Document

  /** @param value fields that are undefined are left out */
  constructor(value: object) {
    this.#document = new Document(value, { keepUndefined: false, aliasDuplicateObjects: false })
  }

  /** Sets the comment at the start of the file. */
  head(text: string): void {
    this.#document.commentBefore = asComment(text)
  }

  /** Adds a comment in the line above a field or an entry of a list, if the file has it. */
  above(path: Path, text: string): void {
    const parent = this.#document.getIn(path.slice(0, -1), true)
    const name = path.at(-1)
    const entry = isSeq(parent) && typeof name === 'number' ? parent.items[name] : undefined
    if (isCollection(entry)) entry.commentBefore = asComment(text)
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === name)
      : undefined
    if (pair === undefined || !isScalar(pair.key)) return
    pair.key.commentBefore = [pair.key.commentBefore, asComment(text)].filter(Boolean).join('\n')
  }

  /** Adds a comment at the start of a mapping, if the file has it. */
  inside(path: Path, text: string): void {
    const node = this.#document.getIn(path, true)
    const first = isMap(node) ? node.items[0]?.key : undefined
    if (isScalar(first))
      first.commentBefore = [asComment(text), first.commentBefore].filter(Boolean).join('\n')
  }

  /** Writes a mapping or a list on one line. */
  onOneLine(path: Path): void {
    const node = this.#document.getIn(path, true) as Node | undefined
    if (isCollection(node)) node.flow = true
  }

  toString(): string {
    return this.#document.toString({ lineWidth: WIDTH, flowCollectionPadding: true })
  }
}

function asComment(text: string): string {
  return text
    .split('\n')
    .map((line) => ` ${line}`)
    .join('\n')
}
