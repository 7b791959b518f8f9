import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import type { NamedLayer } from './assemble.js'
import { checkLayer, type Flaw } from './check.js'
import { formatPath, type Mistake, ScenarioError } from './mistake.js'

/**
 * Reads one scenario file, YAML or JSON, without what it extends.
 * @param source how to call it in errors, such as its path
 * @throws ScenarioError with every mistake, each with its line and column
 */
export function parseLayer(text: string, source: string): NamedLayer {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const placeOf = (flaw: Pick<Flaw, 'path' | 'atKey'>) => place(lines, offsetOf(document, flaw))
  const broken = [...document.errors, ...brokenAliases(document)]
  if (broken.length > 0) {
    throw inOrder(broken.map(({ pos, message }) => ({ source, ...place(lines, pos[0]), path: '', message })))
  }
  const result = checkLayer(toValue(document, source) ?? {})
  if ('flaws' in result) {
    throw inOrder(
      result.flaws.map((flaw) => ({
        source,
        ...placeOf(flaw),
        path: formatPath(flaw.path),
        message: flaw.message,
      })),
    )
  }
  return { source, layer: result.layer, text, placeOf: (...path) => placeOf({ path, atKey: false }) }
}

function inOrder(mistakes: Mistake[]): ScenarioError {
  return new ScenarioError(
    mistakes.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  )
}

function place(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}

/** Aliases without an anchor, or inside it: the library finds them only when it is too late to say where. */
function brokenAliases(document: Document): { pos: readonly [number]; message: string }[] {
  const broken: { pos: readonly [number]; message: string }[] = []
  const anchors = new Set<string>()
  visit(document, {
    Value(_, node) {
      if (node.anchor) anchors.add(node.anchor)
    },
    Alias(_, { source, range }, path) {
      const isInside = path.some((node) => isCollection(node) && node.anchor === source)
      if (anchors.has(source) && !isInside) return
      const why = isInside
        ? `the alias *${source} stands inside its own anchor`
        : `there is no anchor &${source} before this alias`
      broken.push({ pos: [range?.[0] ?? 0], message: why })
    },
  })
  return broken
}

function toValue(document: Document, source: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 1_000 })
  } catch (error) {
    throw new ScenarioError([{ source, path: '', message: (error as Error).message }])
  }
}

/** Where in the text a flaw is: at the field's name or value, or at the nearest thing around it. */
function offsetOf(document: Document, { path, atKey }: Pick<Flaw, 'path' | 'atKey'>): number {
  const nodes = [document.contents as Node | undefined]
  let keyOffset: number | undefined
  for (const step of path) {
    const { key, value } = childOf(resolved(document, nodes.at(-1)), step)
    keyOffset = isNode(key) ? key.range?.[0] : undefined
    nodes.push(value)
  }
  if (atKey && keyOffset !== undefined) return keyOffset
  return nodes.findLast((node) => node?.range)?.range?.[0] ?? 0
}

function resolved(document: Document, node: Node | undefined): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node
}

function childOf(node: Node | undefined, step: PropertyKey): { key?: unknown; value: Node | undefined } {
  if (isSeq(node)) return { value: asNode(node.items[Number(step)]) }
  const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === String(step)) : undefined
  return { key: pair?.key, value: asNode(pair?.value) }
}

function asNode(value: unknown): Node | undefined {
  return isNode(value) ? value : undefined
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
