import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { checkLayer, type Flaw } from './check.js'
import { formatPath, type Mistake, ScenarioError } from './mistake.js'
import type { ScenarioLayer } from './schema.js'

/**
 * Reads one scenario file, YAML or JSON, without what it extends.
 * @param source how to call it in errors, such as its path
 * @throws ScenarioError with every mistake, each with its line and column
 */
export function parseLayer(text: string, source: string): ScenarioLayer {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const locate = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { source, line, column: col }
  }
  if (document.errors.length > 0) {
    throw new ScenarioError(
      document.errors.map((error) => ({ ...locate(error.pos[0]), path: '', message: error.message })),
    )
  }
  const result = checkLayer(toValue(document, source) ?? {})
  if ('layer' in result) return result.layer
  const mistakes = result.flaws.map(
    (flaw): Mistake => ({
      ...locate(offsetOf(document, flaw)),
      path: formatPath(flaw.path),
      message: flaw.message,
    }),
  )
  throw new ScenarioError(
    mistakes.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  )
}

function toValue(document: Document, source: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new ScenarioError([{ source, path: '', message: (error as Error).message }])
  }
}

/** Where in the text a flaw is: at the field's name or value, or at the nearest thing around it. */
function offsetOf(document: Document, flaw: Flaw): number {
  if (flaw.atKey) {
    const parent = nodeAt(document, flaw.path.slice(0, -1))
    const pair = isMap(parent) ? parent.items.find(({ key }) => keyText(key) === flaw.path.at(-1)) : undefined
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
  }
  for (let length = flaw.path.length; length >= 0; length--) {
    const range = nodeAt(document, flaw.path.slice(0, length))?.range
    if (range) return range[0]
  }
  return 0
}

function nodeAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  return isNode(node) ? node : undefined
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
