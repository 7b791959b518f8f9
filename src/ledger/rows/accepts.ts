import type * as v from 'valibot'

/** Whether a value is valid. */
export type Accepts = (value: unknown) => boolean

/** What the schemas of Valibot have in common, as far as {@link accepts} reads it. */
interface Structure {
  readonly type: string
  readonly '~run': v.GenericSchema['~run']
  readonly pipe?: readonly [Structure, ...Action[]]
  readonly entries?: Readonly<Record<string, Structure>>
  /** The name of the field that tells the options of a variant apart. */
  readonly key?: string
  readonly item?: Structure
  readonly items?: readonly Structure[]
  readonly wrapped?: Structure
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly check?: (value: unknown) => boolean
}

interface Action {
  readonly kind: string
  readonly type: string
  readonly requirement?: unknown
  readonly '~run': v.GenericValidation['~run']
}

/**
 * Compiles a schema to a function that only decides whether a value is valid. Valibot builds an output and takes five
 * times as long, which matters for the rows of 100,000 tasks. Schemas that this function does not know, it runs.
 */
export function accepts(schema: v.GenericSchema): Accepts {
  return compiled(schema as unknown as Structure)
}

function compiled(schema: Structure): Accepts {
  return schema.pipe === undefined ? ofType(schema) : ofPipe(schema.pipe, schema)
}

function ofPipe([first, ...actions]: readonly [Structure, ...Action[]], whole: Structure): Accepts {
  if (actions.some(({ kind }) => kind === 'transformation' || kind === 'schema')) return byRunning(whole)
  const checks = actions.filter(({ kind }) => kind === 'validation').map(ofAction)
  return checks.reduce(both, compiled(first))
}

function both(one: Accepts, other: Accepts): Accepts {
  return (value) => one(value) && other(value)
}

function ofAction(action: Action): Accepts {
  const { type, requirement } = action
  if (typeof requirement === 'function') return requirement as Accepts
  if (type === 'regex') return (value) => (requirement as RegExp).test(value as string)
  return (value) => action['~run']({ typed: true, value }, {}).issues === undefined
}

function ofType(schema: Structure): Accepts {
  switch (schema.type) {
    case 'string':
      return (value) => typeof value === 'string'
    case 'number':
      return (value) => typeof value === 'number'
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'literal':
      return (value) => value === schema.literal
    case 'picklist': {
      const words = new Set(schema.options)
      return (value) => words.has(value)
    }
    case 'custom':
      return schema.check as Accepts
    case 'nullable':
      return ofNullable(compiled(schema.wrapped as Structure))
    case 'exact_optional':
    case 'optional':
      return ofOptional(compiled(schema.wrapped as Structure))
    case 'array':
      return ofArray(compiled(schema.item as Structure))
    case 'strict_tuple':
      return ofTuple((schema.items ?? []).map(compiled))
    case 'union':
      return ofUnion((schema.options as Structure[]).map(compiled))
    case 'variant':
      return ofVariant(schema.key as string, schema.options as Structure[])
    case 'strict_object':
      return ofObject(schema.entries ?? {})
    default:
      return byRunning(schema)
  }
}

function byRunning(schema: Structure): Accepts {
  return (value) => schema['~run']({ value }, {}).issues === undefined
}

function ofOptional(isValue: Accepts): Accepts {
  return (value) => value === undefined || isValue(value)
}

function ofNullable(isValue: Accepts): Accepts {
  return (value) => value === null || isValue(value)
}

function ofArray(isItem: Accepts): Accepts {
  return (value) => Array.isArray(value) && value.every((item) => isItem(item))
}

function ofTuple(items: readonly Accepts[]): Accepts {
  return (value) =>
    Array.isArray(value) &&
    value.length === items.length &&
    items.every((isItem, index) => isItem(value[index]))
}

function ofUnion(options: readonly Accepts[]): Accepts {
  return (value) => options.some((isOption) => isOption(value))
}

/** @param key the name of the field that tells the options apart, by its literal */
function ofVariant(key: string, options: readonly Structure[]): Accepts {
  const byLiteral = new Map(options.map((option) => [option.entries?.[key]?.literal, compiled(option)]))
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    byLiteral.get((value as Record<string, unknown>)[key])?.(value) === true
}

function ofObject(entries: Readonly<Record<string, Structure>>): Accepts {
  const names = Object.keys(entries)
  const fields = names.map((name) => compiled(entries[name] as Structure))
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    let known = 0
    for (let index = 0; index < names.length; index++) {
      const field = (value as Record<string, unknown>)[names[index] as string]
      if (field !== undefined) known += 1
      if (!fields[index]?.(field)) return false
    }
    // JSON has no undefined values, so any other name is that of an unknown field.
    for (const _ in value) known -= 1
    return known === 0
  }
}
