import * as v from 'valibot'
import { nearest, suggest } from '../../../engine/suggest.js'
import { isMapping } from '../../../scenario/mapping.js'
import { byName, closed } from '../../../scenario/schema/forms.js'
import { described, oneOf, optional, positiveDuration, text } from '../../../scenario/schema/parts.js'
import { CONTEXTS, mappingTemplate, template, textTemplate } from '../template-check.js'
import {
  itemPage,
  logsIf,
  milliseconds,
  object,
  pageSize,
  rejectedRequests,
  resumeAfter,
  status,
  streamEvents,
  task,
  uploadAnswer,
} from './answer-fields.js'
import { RECEIVER_FORMS } from './receiver-forms.js'
import { TASK_FORMS } from './task-forms.js'

/** The actions that send the parts of an output as they get ready. */
const PART_FORMS = {
  stream: closed('StreamOperation', {
    action: v.literal('stream'),
    object,
    task,
    key: optional(oneOf(['none']), '`none` if the id of the task is enough, without an API key'),
    events: described(streamEvents, 'The server-sent events'),
    logs_if: logsIf,
    resume_after: resumeAfter,
    reject: rejectedRequests,
  }),
  parts: closed('PartsOperation', {
    action: v.literal('parts'),
    object,
    task,
    status,
    answer: template(CONTEXTS.parts),
    part: optional(template(CONTEXTS.part), 'One part in {{parts}}. The default is {{part}}'),
    wait: described(milliseconds, 'How many milliseconds to hold the answer until there is a part'),
  }),
}

/** The actions on uploaded files. */
const UPLOAD_FORMS = {
  upload: closed('UploadOperation', {
    action: v.literal('upload'),
    status,
    answer: uploadAnswer,
    from: optional(
      oneOf(['body', 'form', 'url', 'resumable']),
      "Where the file is: in the body, in a form, sent later to {{url}}, or in parts, in Google's protocol",
      'body',
    ),
    file: optional(text, 'The field of the form that holds the file', 'file'),
    name: optional(
      textTemplate(CONTEXTS.request),
      'The name of the file. The default is its name in the form',
    ),
    id: optional(
      textTemplate(CONTEXTS.request),
      'The id of the upload, if the client has chosen one. By default, tasksim draws it',
    ),
    processing: optional(
      byName(text, positiveDuration),
      'How long the service processes a file, by the first part of its type, such as `video`. By default, a file is ready at once',
    ),
    content_type: optional(
      textTemplate(CONTEXTS.request),
      'The type of the file. The default is that of the request',
    ),
    require: optional(v.array(text), 'The fields that the request must have'),
    keep: optional(
      mappingTemplate(CONTEXTS.request),
      'Values of the request that later answers need, as {{kept.NAME}}',
    ),
    lifetime: optional(
      positiveDuration,
      'How long the file is kept. The default is as long as an output URL',
    ),
  }),
  retrieve_upload: closed('RetrieveUploadOperation', {
    action: v.literal('retrieve_upload'),
    status,
    answer: uploadAnswer,
    outputs: optional(
      closed('UploadedOutputs', {
        processing: optional(
          positiveDuration,
          'How long the service processes a file after the end of its task. By default, it is ready at once',
        ),
      }),
      'Answers also with the first output file of the task that has the id. By default, only with uploads',
    ),
  }),
  list_uploads: closed('ListUploadsOperation', {
    action: v.literal('list_uploads'),
    status,
    answer: optional(template(CONTEXTS.uploads), 'The body of the answer. The default is {{uploads}}'),
    ...itemPage,
  }),
  delete_upload: closed('DeleteUploadOperation', {
    action: v.literal('delete_upload'),
    status,
    answer: uploadAnswer,
  }),
}

const listFilters = closed('ListFilters', {
  status: optional(text, 'The query parameter with a word of a state'),
  model: optional(text, 'The query parameter with a model'),
  day: optional(text, 'The query parameter with the day of the creation in UTC, such as 2026-01-31'),
  queued_only: optional(
    text,
    'The query parameter that is `true` for queued tasks only, whatever the state that the request asks for',
  ),
})

/** The actions on several tasks, and on none. */
const GROUP_FORMS = {
  list: closed('ListOperation', {
    action: v.literal('list'),
    object,
    status,
    answer: template(CONTEXTS.page),
    item: optional(
      mappingTemplate(CONTEXTS.answer),
      'A task in the list. The default is the task as in other answers',
    ),
    limit: pageSize,
    offset: optional(text, 'The query parameter with the number of tasks to skip'),
    page: optional(text, 'The query parameter with the number of the page. The first page has the number 1'),
    after: optional(text, 'The query parameter with the id of the last task of the previous page'),
    before: optional(
      text,
      'The query parameter with the id of the first task of a page, which requests newer tasks. It may be that of `after`',
    ),
    order: optional(
      text,
      'The query parameter that is `asc` for the oldest task first, or `desc`, which is the default',
    ),
    filters: optional(listFilters, 'The query parameters that select tasks'),
  }),
  count: closed('CountOperation', {
    action: v.literal('count'),
    status,
    answer: template(CONTEXTS.count),
    model: optional(textTemplate(CONTEXTS.request), 'The model of the tasks. The default is any model'),
  }),
  cancel_queued: closed('CancelQueuedOperation', {
    action: v.literal('cancel_queued'),
    status,
    answer: template(CONTEXTS.canceled),
    model: optional(textTemplate(CONTEXTS.request), 'The model of the tasks. The default is any model'),
  }),
  fixed: closed('FixedOperation', {
    action: v.literal('fixed'),
    status,
    key: optional(oneOf(['none']), '`none` if the request needs no API key'),
    by: optional(
      textTemplate(CONTEXTS.request),
      'The name of the field of `answer` to return. If there is no such field, the answer is a 404. The default is the whole `answer`',
    ),
    answer: template(CONTEXTS.fixed),
  }),
}

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
/** A mapping whose field `action` decides its other fields. */
export const actionForm = ofAction()
const action = v.union([v.picklist(WORDS), actionForm])

/** An action: its name, or a mapping with its settings. */
export const actionSchema = {
  ...action,
  '~run'(dataset, config) {
    const { value } = dataset
    if (typeof value !== 'string') return actionForm['~run'](dataset, config)
    return actionForm['~run']({ value: { action: value } }, config)
  },
} as v.GenericSchema<v.InferInput<typeof action>, v.InferOutput<Forms[ActionName]>>

function ofAction(): v.GenericSchema<v.InferInput<Forms[ActionName]>, v.InferOutput<Forms[ActionName]>> {
  return {
    ...v.union(Object.values(FORMS)),
    '~run'({ value }: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!isMapping(value)) return failed(value, FORM)
      const name = ACTIONS.find((each) => each === value['action'])
      if (name !== undefined) return FORMS[name]['~run']({ value }, config)
      const given = value['action']
      const known = suggest(typeof given === 'string' ? given : '', ACTIONS)
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
