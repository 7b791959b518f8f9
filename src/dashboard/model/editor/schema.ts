import type { Step } from './yaml-scanner.js'

/** The parts of a JSON Schema that the schema of scenarios has. */
export interface SchemaNode {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly minimum?: number
  readonly maximum?: number
}

/** The forms that a value may have. */
export function formsOf(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf?.flatMap(formsOf) ?? [node]
}

/** The schemas of the values at a path. */
export function schemasAt(root: SchemaNode, path: readonly Step[]): readonly SchemaNode[] {
  return path.reduce<readonly SchemaNode[]>(
    (nodes, step) => nodes.flatMap(formsOf).flatMap((form) => entryOf(form, step) ?? []),
    [root],
  )
}

function entryOf(
  { properties, additionalProperties, items }: SchemaNode,
  step: Step,
): SchemaNode | undefined {
  if (step === 0) return items
  if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** Describes the values of a schema in a few words, such as `duration or { min, max }`. */
export function typeText(node: SchemaNode): string {
  return [...new Set(formsOf(node).map(formText))].join(' or ')
}

function formText(form: SchemaNode): string {
  const { type, title, properties, items, minimum, maximum } = form
  const values = valuesOf(form)
  if (values.length > 0) return values.join(' | ')
  if (title === 'Duration') return 'duration'
  if (type === 'object') {
    const names = Object.keys(properties ?? {})
    return names.length === 0
      ? 'mapping'
      : `{ ${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''} }`
  }
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeText(items)}`
  if (type !== 'number' && type !== 'integer') return type === 'string' ? 'text' : (type ?? 'anything')
  const name = type === 'integer' ? 'whole number' : 'number'
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least === undefined && most === undefined) return name
  if (most === undefined) return `${name} from ${least} up`
  return least === undefined ? `${name} up to ${most}` : `${name} from ${least} to ${most}`
}

/** The only values that a form accepts; empty if there are others. */
export function valuesOf({ type, enum: words, const: only }: SchemaNode): readonly unknown[] {
  if (words !== undefined) return words
  if (only !== undefined) return [only]
  return type === 'boolean' ? [true, false] : []
}
