import type { Step, YamlContext } from './yaml-context.js'

/** Something to insert at a position. */
export interface Proposal {
  /** The key or the value. */
  readonly label: string
  /** The text that replaces the word at the position. */
  readonly insert: string
  /** How far before the end of this text the cursor belongs. */
  readonly back: number
  /** The schema of the key, or the one that has the value. */
  readonly schema: SchemaNode
  readonly isKey: boolean
  readonly isRequired: boolean
}

const STEP = 2

/**
 * The keys and values that fit a position, the best matches first.
 * @param names further values by key, such as the names of the shipped scenarios
 */
export function proposalsAt(
  root: SchemaNode,
  context: YamlContext,
  names: Readonly<Record<string, readonly string[]>> = {},
): readonly Proposal[] {
  const { kind, path, word } = context
  const nodes = schemasAt(root, path)
  const found = [
    ...(kind === 'key' || kind === 'either' ? nodes.flatMap((node) => keysOf(node, context)) : []),
    ...(kind === 'value' || (kind === 'either' && path.length > 0) ? valuesAt(nodes, context, names) : []),
  ]
  const labels = new Map(found.reverse().map((proposal) => [proposal.label, proposal]))
  const distinct = [...labels.values()].reverse()
  return [
    ...distinct.filter(({ label }) => rank(label, word) === 0),
    ...distinct.filter(({ label }) => rank(label, word) === 1),
  ]
}

function rank(label: string, word: string): number {
  const index = label.toLowerCase().indexOf(word.toLowerCase())
  return index > 0 ? 1 : index
}

/** The keys of the mappings that the node accepts. The items of a list outside of brackets begin with a dash. */
function keysOf(node: SchemaNode, context: YamlContext): Proposal[] {
  const { keys, isFlow } = context
  const forms = formsOf(node)
  const mappings = forms.filter((form) => form.properties !== undefined)
  const fitting = mappings.filter(({ properties = {} }) =>
    [...keys].every((key) => Object.hasOwn(properties, key)),
  )
  const isOpen = forms.some(({ additionalProperties }) => typeof additionalProperties === 'object')
  const own = (fitting.length > 0 || isOpen ? fitting : mappings).flatMap(
    ({ properties = {}, required = [] }) =>
      Object.entries(properties)
        .filter(([key]) => !keys.has(key))
        .map(([key, schema]) => keyProposal(key, schema, required.includes(key), context)),
  )
  const items = isFlow || keys.size > 0 ? [] : forms.flatMap(({ items }) => items ?? [])
  return [...own, ...items.flatMap((item) => keysOf(item, context).map(asItem))]
}

function asItem(proposal: Proposal): Proposal {
  const insert = proposal.insert.replaceAll('\n', `\n${' '.repeat(STEP)}`)
  return { ...proposal, insert: `- ${insert}` }
}

function keyProposal(key: string, schema: SchemaNode, isRequired: boolean, context: YamlContext): Proposal {
  const [after, back] = context.isEntry ? ['', 0] : startOfValue(schema, context)
  return { label: key, insert: `${key}${after}`, back, schema, isKey: true, isRequired }
}

/** The text between a key and its value, and how far before its end the cursor belongs. */
function startOfValue(schema: SchemaNode, { isFlow, column }: YamlContext): [text: string, back: number] {
  const forms = formsOf(schema)
  const items = forms.flatMap((form) => (form.type === 'array' ? formsOf(form.items ?? {}) : []))
  const isMapping = forms.every(({ type }) => type === 'object')
  const isList = forms.every(({ type }) => type === 'array')
  const hasMappings = items.some(({ type }) => type === 'object')
  const line = `:\n${' '.repeat(column + STEP)}`
  if (isMapping) return isFlow ? [': {  }', 2] : [line, 0]
  if (!isList) return [': ', 0]
  return hasMappings && !isFlow ? [`${line}- `, 0] : [': []', 1]
}

function valuesAt(
  nodes: readonly SchemaNode[],
  { path, isFlow, kind }: YamlContext,
  names: Readonly<Record<string, readonly string[]>>,
): Proposal[] {
  const named = names[String(path.at(-1))] ?? []
  const forms = nodes.flatMap((node) => formsOf(node).map((form) => [node, form] as const))
  const own = forms.flatMap(([node, form]) => {
    const { default: preset = form.default } = node
    const fixed = valuesOf(form)
    const shown = fixed.length > 0 ? fixed : [preset, ...(form.examples ?? [])]
    return shown.filter(isScalar).map((value) => valueProposal(value, form, node))
  })
  const items =
    kind === 'either' && !isFlow ? nodes.flatMap(formsOf).flatMap(({ items: item }) => item ?? []) : []
  const words = items
    .flatMap(formsOf)
    .flatMap((form) => valuesOf(form).map((word) => asItem(valueProposal(word, form, form))))
  return [...named.map((name) => valueProposal(name, nodes[0] ?? {}, nodes[0] ?? {})), ...own, ...words]
}

function isScalar(value: unknown): boolean {
  return value !== null && ['string', 'number', 'boolean'].includes(typeof value)
}

function valueProposal(value: unknown, form: SchemaNode, node: SchemaNode): Proposal {
  const label = typeof value === 'string' && needsQuotes(value) ? JSON.stringify(value) : String(value)
  const schema =
    form.description === undefined
      ? { ...form, ...(node.description && { description: node.description }) }
      : form
  return { label, insert: label, back: 0, schema, isKey: false, isRequired: false }
}

/** The proposal as JSON, in which keys and texts are in quotes. */
export function inJson(proposal: Proposal, { isEntry }: YamlContext): Proposal {
  const { label, isKey, schema } = proposal
  const isText = isKey || schema.type === 'string'
  const insert = isText ? JSON.stringify(label.replace(/^"|"$/g, '')) : label
  return { ...proposal, insert: isKey && !isEntry ? `${insert}: ` : insert, back: 0 }
}

/** Whether YAML would read the text as something else. */
function needsQuotes(text: string): boolean {
  return !/^[A-Za-z][\w./-]*$|^\d[\d.]*[a-z]/.test(text) || /^(?:true|false|null)$/i.test(text)
}

/** The parts of a JSON Schema that the schema of scenarios has. */
export interface SchemaNode {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[] | undefined
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
function formsOf(node: SchemaNode): readonly SchemaNode[] {
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
function valuesOf({ type, enum: words, const: only }: SchemaNode): readonly unknown[] {
  if (words !== undefined) return words
  if (only !== undefined) return [only]
  return type === 'boolean' ? [true, false] : []
}
