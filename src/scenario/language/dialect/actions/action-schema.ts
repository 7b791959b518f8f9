import * as v from 'valibot'
import { nearest, suggest } from '../../../../engine/suggest.js'
import { isMapping } from '../../mapping.js'
import { GROUP_FORMS } from './group-forms.js'
import { PART_FORMS } from './part-forms.js'
import { RECEIVER_FORMS } from './receiver-forms.js'
import { TASK_FORMS } from './task-forms.js'
import { UPLOAD_FORMS } from './upload-forms.js'

const FORMS = { ...TASK_FORMS, ...GROUP_FORMS, ...PART_FORMS, ...UPLOAD_FORMS, ...RECEIVER_FORMS }
type Forms = typeof FORMS
/** The name of an action. */
export type ActionName = keyof Forms

/** The actions that need no further settings. */
const WORDS = [
  'retrieve',
  'cancel',
  'delete',
  'file',
  'upload',
  'retrieve_upload',
  'list_uploads',
  'delete_upload',
  'create_receiver',
  'retrieve_receiver',
  'update_receiver',
  'delete_receiver',
  'rotate_secret',
] as const
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
      const given = value['action']
      const known = suggest(String(given ?? ''), ACTIONS)
      if (given !== undefined) return failed(value, `unknown action; ${known}`, { field: 'action' })
      const misspelled = Object.keys(value).find((field) => nearest(field, ['action']) !== undefined)
      if (misspelled === undefined) return failed(value, `the action is missing; ${known}`)
      const message = `unknown field \`${misspelled}\`; did you mean \`action\`?`
      return failed(value, message, { field: misspelled, atKey: true })
    },
  } as v.GenericSchema<v.InferInput<Forms[ActionName]>, v.InferOutput<Forms[ActionName]>>
}

/** Where a mapping has a mistake. */
interface FlawedField {
  readonly field: string
  readonly atKey?: boolean
}

function failed(input: unknown, message: string, at?: FlawedField): v.FailureDataset<v.BaseIssue<unknown>> {
  const issue = { kind: 'validation', type: 'action', input, message, expected: null, received: '' } as const
  const path = at && isMapping(input) ? { path: [itemOf(input, at)] } : {}
  return { typed: false, value: undefined, issues: [{ ...issue, ...path }] } as never
}

function itemOf(
  input: Readonly<Record<string, unknown>>,
  { field, atKey = false }: FlawedField,
): v.ObjectPathItem {
  return { type: 'object', origin: atKey ? 'key' : 'value', input, key: field, value: input[field] }
}
