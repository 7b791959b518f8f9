import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import {
  inJson,
  type Proposal,
  proposalsAt,
  type SchemaNode,
  typeText,
} from '../../model/editor/completions.js'
import { contextAt, type YamlContext } from '../../model/editor/yaml-context.js'

/** What an editor suggests. */
export interface Suggestions {
  /** Without one, it suggests nothing. */
  readonly schema?: SchemaNode | undefined
  /** Further values by key, such as the names of the shipped scenarios. */
  readonly names?: Readonly<Record<string, readonly string[]>>
}

/** Suggests the keys and values that fit the position of the cursor. JSON is YAML in braces, with quotes. */
export function complete(
  { state, pos, explicit }: CompletionContext,
  isJson: boolean,
  { schema, names }: Suggestions,
): CompletionResult | null {
  const context = contextAt(state.doc.toString(), pos)
  if (schema === undefined || context === undefined || (!explicit && context.word === '')) return null
  const found = proposalsAt(schema, context, names)
  const proposals = isJson ? found.map((each) => inJson(each, context)) : found
  const [first] = proposals
  const isDone = proposals.length === 1 && !first?.isKey && first?.label === context.word
  if (first === undefined || (isDone && !explicit)) return null
  const options = proposals.map((each, index) => optionOf(each, context, -index))
  return { from: context.from, to: context.to, filter: false, options }
}

function optionOf(proposal: Proposal, context: YamlContext, boost: number): Completion {
  const { label, insert, back, schema, isKey, isRequired } = proposal
  const detail = isRequired ? 'required' : isKey ? typeText(schema) : ''
  return {
    label,
    boost: Math.max(-99, boost),
    ...(detail !== '' && { detail: detail.length > LONGEST ? `${detail.slice(0, LONGEST - 1)}…` : detail }),
    ...(schema.description !== undefined && { info: schema.description }),
    apply(view: EditorView, _: Completion, from: number, to: number) {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length - back },
        userEvent: 'input.complete',
      })
      if (isKey && !context.isEntry) startCompletion(view)
    },
  }
}

const LONGEST = 36
