import * as v from 'valibot'
import { suggest } from '../../../../engine/suggest.js'
import { isMapping } from '../../schema/forms.js'
import { GROUP_FORMS } from './group-forms.js'
import { PART_FORMS } from './part-forms.js'
import { TASK_FORMS } from './task-forms.js'
import { UPLOAD_FORMS } from './upload-forms.js'

const FORMS = { ...TASK_FORMS, ...GROUP_FORMS, ...PART_FORMS, ...UPLOAD_FORMS }
type Forms = typeof FORMS
/** The name of an action. */
export type ActionName = keyof Forms

/** The actions that need no further settings. */
const WORDS = ['retrieve', 'cancel', 'delete', 'retrieve_upload', 'list_uploads', 'delete_upload'] as const
const ACTIONS = Object.keys(FORMS) as ActionName[]
const FORM = 'expected a word such as `retrieve`, `cancel` or `delete`, or a mapping with an `action`'

const mapping = ofAction()
const action = v.union([v.picklist(WORDS), mapping])

/** An action: its name, or a mapping with its settings. */
export const actionSchema = {
  ...action,
  '~run'(dataset, config) {
    const { value } = dataset
    if (typeof value !== 'string') return mapping['~run'](dataset, config)
    return mapping['~run']({ value: { action: value } }, config)
  },
} as v.GenericSchema<v.InferInput<typeof action>, v.InferOutput<Forms[ActionName]>>

/** A mapping whose field `action` decides its other fields. */
function ofAction(): v.GenericSchema<v.InferInput<Forms[ActionName]>, v.InferOutput<Forms[ActionName]>> {
  return {
    ...v.union(Object.values(FORMS)),
    '~run'({ value }: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!isMapping(value)) return failed(value, FORM)
      const name = ACTIONS.find((each) => each === value['action'])
      if (name !== undefined) return FORMS[name]['~run']({ value }, config)
      const known = suggest(String(value['action'] ?? ''), ACTIONS)
      return failed(
        value,
        value['action'] === undefined ? `the action is missing; ${known}` : `unknown action; ${known}`,
        'action',
      )
    },
  } as v.GenericSchema<v.InferInput<Forms[ActionName]>, v.InferOutput<Forms[ActionName]>>
}

function failed(input: unknown, message: string, field?: string): v.FailureDataset<v.BaseIssue<unknown>> {
  const issue = { kind: 'validation', type: 'action', input, message, expected: null, received: '' } as const
  const isKnown = field !== undefined && isMapping(input) && Object.hasOwn(input, field)
  const path = isKnown
    ? {
        path: [{ type: 'object', origin: 'value', input, key: field, value: input[field] }] as [
          v.ObjectPathItem,
        ],
      }
    : {}
  return { typed: false, value: undefined, issues: [{ ...issue, ...path }] } as never
}
