import { isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type Scalar } from 'yaml'
import { kindAt, type Path, type SecretKind } from './places.js'

/** One scalar of a text, be it a value or the name of a field. */
interface TextNode {
  readonly value: string
  /** What belongs at its place; undefined where no secret does. */
  readonly kind: SecretKind | undefined
  /** Whether an alias may bring it to another place. */
  readonly isAnchored: boolean
}

/**
 * Replaces scalars of a YAML or JSON text and leaves the rest of it, comments included, as it is.
 * @param change gives undefined where a scalar stays
 */
export function rewriteText(text: string, change: (node: TextNode) => string | undefined): string {
  const { contents } = parseDocument(text, { merge: true, uniqueKeys: false, prettyErrors: false })
  let rewritten = ''
  let copied = 0
  for (const { scalar, kind, isAnchored } of scalarsIn(contents, [], false)) {
    const { value, range } = scalar
    if (typeof value !== 'string' || !range) continue
    const by = change({ value, kind, isAnchored })
    if (by === undefined || by === value) continue
    const [start, end] = range
    // A block scalar ends with its line.
    const lineEnd = text.slice(start, end).endsWith('\n') ? '\n' : ''
    rewritten += text.slice(copied, start) + JSON.stringify(by) + lineEnd
    copied = end
  }
  return rewritten + text.slice(copied)
}

interface Found extends Pick<TextNode, 'kind' | 'isAnchored'> {
  readonly scalar: Scalar
}

/** The scalars below a node, in the order of the text. */
function* scalarsIn(node: unknown, path: Path, wasAnchored: boolean): Generator<Found> {
  const isAnchored = wasAnchored || hasAnchor(node)
  if (isScalar(node)) yield { scalar: node, kind: kindAt(path, false), isAnchored }
  else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* scalarsIn(item, [...path, index], isAnchored)
  } else if (isMap(node)) for (const pair of node.items) yield* scalarsOfPair(pair, path, isAnchored)
}

function* scalarsOfPair({ key, value }: Pair, path: Path, wasAnchored: boolean): Generator<Found> {
  if (!isScalar(key)) return
  const at = [...path, String(key.value)]
  yield { scalar: key, kind: kindAt(at, true), isAnchored: wasAnchored || hasAnchor(key) }
  if (key.value !== '<<') yield* scalarsIn(value, at, wasAnchored)
  // What is merged stands where the mapping stands.
  else for (const merged of isSeq(value) ? value.items : [value]) yield* scalarsIn(merged, path, wasAnchored)
}

function hasAnchor(node: unknown): boolean {
  return isNode(node) && 'anchor' in node && node.anchor !== undefined
}
