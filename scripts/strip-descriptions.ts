/**
 * Removes the descriptions, defaults and type names from the compiled schema of scenarios. They are there for the JSON
 * Schema, the types and the reference, which are generated from the source; a page would load them for nothing.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const folder = new URL('../dist/scenario/language/schema/', import.meta.url)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
  const file = new URL(name, folder)
  writeFileSync(file, stripped(readFileSync(file, 'utf8')))
}
// It would describe nothing now. The command line has a copy of its own.
rmSync(new URL('json-schema.js', folder))

function stripped(text: string): string {
  const kept: string[] = []
  let end = 0
  for (const [from, to] of removals(ts.createSourceFile('schema.js', text, ts.ScriptTarget.Latest))) {
    kept.push(text.slice(end, from))
    end = to
  }
  return kept.join('') + text.slice(end)
}

type Range = [from: number, to: number]

/** What to remove, from the beginning of the file to its end. */
function removals(node: ts.Node): Range[] {
  const within: Range[] = []
  node.forEachChild((child) => void within.push(...removals(child)))
  const own = ts.isCallExpression(node) ? ofCall(node) : undefined
  return [...within, ...(own === undefined ? [] : [own])].sort(([one], [other]) => one - other)
}

function ofCall({ expression, arguments: given }: ts.CallExpression): Range | undefined {
  const [first, second] = given
  if (!ts.isIdentifier(expression) || first === undefined || second === undefined) return undefined
  if (expression.text === 'described' || expression.text === 'optional')
    return [first.end, given.at(-1)?.end ?? 0]
  return expression.text === 'closed' && ts.isStringLiteral(first) ? [first.pos, second.pos] : undefined
}
