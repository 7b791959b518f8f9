import { isMap, isNode, isScalar, isSeq, type Pair, parseDocument, type Scalar } from 'yaml'
import type { Placeholders } from './placeholders.js'
import { kindAt, type Path, type SecretKind } from './secret-paths.js'

/**
 * Replaces the secrets in the text of a scenario with placeholders, at places for secrets. Also replaces secrets of 12
 * characters or more in comments and other texts.
 */
export function maskText(text: string, placeholders: Placeholders): string {
  const masked = rewriteText(text, ({ value, kind, isAnchored }) => {
    const placeholder = kind !== undefined || isAnchored ? placeholders.of(value) : undefined
    return placeholder ?? placeholders.maskIn(value)
  })
  return placeholders.maskIn(masked)
}

/**
 * Replaces the placeholders in the text of a scenario with secrets.
 * @param restored the secrets by placeholder
 */
export function unmaskText(text: string, restored: ReadonlyMap<string, string>): string {
  return rewriteText(text, ({ value, kind, isAnchored }) =>
    kind !== undefined || isAnchored ? restored.get(value) : undefined,
  )
}

/** A scalar of a text: a value or a field name. */
interface TextNode {
  readonly value: string
  /** The kind of its path; undefined if it cannot have a secret. */
  readonly kind: SecretKind | undefined
  /** Whether an alias may copy it to another path. */
  readonly isAnchored: boolean
}

/**
 * Replaces scalars of a YAML or JSON text. Everything else, including comments, stays the same.
 * @param change returns undefined to keep a scalar
 */
function rewriteText(text: string, change: (node: TextNode) => string | undefined): string {
  const { contents } = parseDocument(text, { merge: true, uniqueKeys: false, prettyErrors: false })
  let rewritten = ''
  let copied = 0
  for (const { scalar, kind, isAnchored } of scalarsIn(contents, [], false)) {
    const { value, range } = scalar
    if (typeof value !== 'string' || !range) continue
    const replacement = change({ value, kind, isAnchored })
    if (replacement === undefined || replacement === value) continue
    const [start, end] = range
    // The range of a block scalar includes its line break.
    const lineEnd = text.slice(start, end).endsWith('\n') ? '\n' : ''
    rewritten += text.slice(copied, start) + JSON.stringify(replacement) + lineEnd
    copied = end
  }
  return rewritten + text.slice(copied)
}

interface Found extends Pick<TextNode, 'kind' | 'isAnchored'> {
  readonly scalar: Scalar
}

/** Yields the scalars below a node, in the order of the text. */
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
  // Merged fields have the path of the mapping.
  else for (const merged of isSeq(value) ? value.items : [value]) yield* scalarsIn(merged, path, wasAnchored)
}

function hasAnchor(node: unknown): boolean {
  return isNode(node) && 'anchor' in node && node.anchor !== undefined
}
