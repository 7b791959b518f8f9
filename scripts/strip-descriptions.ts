import { parseSync } from 'vite'

/**
 * Removes the descriptions, shown defaults and type names from a schema of scenarios, to make it smaller. Only the JSON Schema,
 * the generated types and the reference need them, and all three are generated from the source.
 */
export function stripDescriptions(text: string): string {
  const kept: string[] = []
  let end = 0
  for (const [from, to] of removals(parseSync('schema.ts', text).program)) {
    kept.push(text.slice(end, from))
    end = to
  }
  return kept.join('') + text.slice(end)
}

/** The fields of a node of the syntax tree that are read here. */
interface Call {
  readonly type: string
  readonly callee: { readonly name?: string; readonly property?: { readonly name?: string } }
  readonly arguments: readonly { readonly type: string; readonly start: number; readonly end: number }[]
}

type Range = [from: number, to: number]

/** The ranges to remove below a value in the syntax tree, in the order of the file. */
function removals(value: unknown): Range[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === 'CallExpression' ? ofCall(value as Call) : undefined
  const within = Object.values(value).flatMap(removals)
  return [...within, ...(own === undefined ? [] : [own])].sort(([one], [other]) => one - other)
}

function ofCall({ callee, arguments: given }: Call): Range | undefined {
  const [first, second] = given
  if (callee.property?.name === 'metadata') return [first?.start ?? 0, first?.end ?? 0]
  if (first === undefined || second === undefined) return undefined
  if (callee.name === 'setting') return [second.end, given.at(-1)?.end ?? 0]
  if (callee.name === 'described' || callee.name === 'optional') return [first.end, given.at(-1)?.end ?? 0]
  return callee.name === 'closed' && first.type === 'Literal' ? [first.start, second.start] : undefined
}
