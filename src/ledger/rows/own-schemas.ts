import * as v from 'valibot'

/**
 * Schemas that a browser would load at the start if they were those of Valibot, because a bundle has one chunk of a package.
 * They override `~run` of other schemas, as those of scenarios do.
 */

type Issue = v.BaseIssue<unknown>
type Config = v.Config<Issue>

/** A list of fixed length. */
export function tuple<const Items extends v.TupleItems>(...items: Items) {
  const form = `a list of ${items.length} values`
  const schema = {
    ...v.array(v.unknown()),
    type: 'strict_tuple',
    items,
    '~run'({ value }: v.UnknownDataset, config: Config) {
      if (!Array.isArray(value) || value.length !== items.length)
        return failure(value, [issueOf(value, form)])
      return result(
        value,
        items.flatMap((item, index) =>
          issuesOf(item as v.GenericSchema, value[index], String(index), config),
        ),
      )
    },
  }
  return schema as unknown as v.StrictTupleSchema<Items, string>
}

/** One of several objects, told apart by the literal in a field. */
export function variant<const Options extends readonly v.StrictObjectSchema<v.ObjectEntries, string>[]>(
  key: string,
  options: Options,
): v.GenericSchema<v.InferOutput<Options[number]>> {
  const literals = options.map(({ entries }) => (entries[key] as unknown as { literal: string }).literal)
  const schema = {
    ...v.union(options),
    type: 'variant',
    key,
    '~run'({ value }: v.UnknownDataset, config: Config) {
      if (typeof value !== 'object' || value === null) return failure(value, [issueOf(value, 'an object')])
      const given: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
      const option = options[literals.indexOf(String(Object(given) === given ? '' : given))]
      if (option !== undefined) return option['~run']({ value }, config)
      const issue = issueOf(given, `one of ${literals.join(', ')}`)
      return failure(value, [withStep(issue, key)])
    },
  }
  return schema as unknown as v.GenericSchema<v.InferOutput<Options[number]>>
}

function issuesOf(schema: v.GenericSchema, value: unknown, key: string, config: Config): Issue[] {
  return (schema['~run']({ value }, config).issues ?? []).map((issue) => withStep(issue, key))
}

function withStep(issue: Issue, key: string): Issue {
  const step: v.ObjectPathItem = { type: 'object', origin: 'value', input: {}, key, value: undefined }
  return { ...issue, path: [step, ...(issue.path ?? [])] }
}

function issueOf(input: unknown, message: string): Issue {
  return { kind: 'schema', type: 'custom', input, message, expected: null, received: '' }
}

function result(value: unknown, issues: readonly Issue[]) {
  return issues.length > 0 ? failure(value, issues) : { typed: true, value }
}

function failure(value: unknown, issues: readonly Issue[]) {
  return { typed: false, value, issues }
}
