import ts from 'typescript'

/**
 * Removes the descriptions, defaults and type names from a schema of scenarios, to make it smaller. Only the JSON Schema,
 * the generated types and the reference need them, and all three are generated from the source.
 */
export function stripDescriptions(text: string): string {
  const kept: string[] = []
  let end = 0
  for (const [from, to] of removals(ts.createSourceFile('schema.ts', text, ts.ScriptTarget.Latest))) {
    kept.push(text.slice(end, from))
    end = to
  }
  return kept.join('') + text.slice(end)
}

type Range = [from: number, to: number]

/** The ranges to remove, in the order of the file. */
function removals(node: ts.Node): Range[] {
  const within: Range[] = []
  node.forEachChild((child) => void within.push(...removals(child)))
  const own = ts.isCallExpression(node) ? ofCall(node) : undefined
  return [...within, ...(own === undefined ? [] : [own])].sort(([one], [other]) => one - other)
}

function ofCall({ expression, arguments: given }: ts.CallExpression): Range | undefined {
  const [first, second] = given
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'metadata')
    return [first?.pos ?? 0, first?.end ?? 0]
  if (!ts.isIdentifier(expression) || first === undefined || second === undefined) return undefined
  if (expression.text === 'described' || expression.text === 'optional')
    return [first.end, given.at(-1)?.end ?? 0]
  return expression.text === 'closed' && ts.isStringLiteral(first) ? [first.pos, second.pos] : undefined
}
