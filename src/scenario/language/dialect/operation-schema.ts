import * as v from 'valibot'
import { FIXED_VALUES } from '../../../dialects/table/fixed-action.js'
import { CANCELED_VALUES, COUNT_VALUES } from '../../../dialects/table/group-actions.js'
import { PAGE_VALUES } from '../../../dialects/table/list-action.js'
import { REQUEST_VALUES } from '../../../dialects/table/request-values.js'
import { EVENT_VALUES, PART_VALUES, PARTS_VALUES } from '../../../dialects/table/stream-action.js'
import { TASK_VALUES } from '../../../dialects/table/task-values.js'
import { UPLOAD_LIST_VALUES, UPLOAD_VALUES } from '../../../dialects/table/upload-values.js'
import { suggest } from '../../../engine/suggest.js'
import { KIND_NAMES } from '../../../kinds/registry.js'
import { anyOf, byName, closed, isMapping } from '../schema/forms.js'
import {
  described,
  integerFrom,
  numberFrom,
  oneOf,
  optional,
  positiveDuration,
  text,
  textLike,
} from '../schema/parts.js'
import { samePaths } from './same-paths.js'
import { mappingTemplate, template, textTemplate } from './template-check.js'

const UPLOAD = Object.keys(UPLOAD_VALUES)
const TASK = Object.keys(TASK_VALUES)
const REQUEST = Object.keys(REQUEST_VALUES)
const PAGE = Object.keys(PAGE_VALUES)
const EVENT = Object.keys(EVENT_VALUES)

const status = optional(integerFrom(200, 299), 'The status of the answer')
const answer = optional(template(TASK), 'The body of the answer. The default is the task')
const uploadAnswer = optional(template(UPLOAD), 'The body of the answer. The default is the upload')
const milliseconds = v.union(
  [textTemplate(REQUEST), numberFrom(0, 300_000)],
  'expected a number of milliseconds, or a placeholder',
)
const wait = optional(milliseconds, 'How many milliseconds to hold the answer until the task has ended')

const streamEvent = closed('StreamEvent', {
  event: optional(textTemplate(EVENT), 'The type of the event'),
  id: optional(textTemplate(EVENT), 'The id of the event'),
  data: described(template(EVENT), 'The data: JSON, unless it is a text'),
})
const streamEvents = anyOf(
  'expected an event with `data`, or a list of events',
  v.array(streamEvent),
  streamEvent,
)

const FORMS = {
  create: closed('CreateOperation', {
    action: v.literal('create'),
    status,
    answer,
    kind: optional(oneOf(KIND_NAMES), 'The kind of the model, if the path decides it'),
    model: optional(textTemplate(REQUEST), 'The model. The default is {{body.model}}'),
    input: optional(template(REQUEST), 'The parameters of the model. The default is {{body}}'),
    require: optional(v.array(text), 'The fields that the body must have'),
    fields: optional(v.array(text), 'All fields that the service knows; others are reported as unknown'),
    keep: optional(
      mappingTemplate(REQUEST),
      'Values of the request that later answers need, as {{kept.NAME}}',
    ),
    shows: optional(
      oneOf(['queued']),
      '`queued` if an answer that is not held shows the task before its start',
    ),
    wait,
    wait_if: optional(
      textTemplate(REQUEST),
      'A value that must be true to hold the answer. By default, it is held',
    ),
  }),
  retrieve: closed('RetrieveOperation', {
    action: v.literal('retrieve'),
    status,
    answer,
    wait,
  }),
  result: closed('ResultOperation', {
    action: v.literal('result'),
    status,
    answer,
    search: optional(
      textTemplate(REQUEST),
      'The words to search a transcript for, separated by commas, as {{matches}}',
    ),
    text: optional(textTemplate(TASK), 'The answer, if it is not JSON'),
    content_type: optional(text, 'The Content-Type of `text`'),
  }),
  cancel: closed('CancelOperation', {
    action: v.literal('cancel'),
    status,
    answer,
    ended: optional(
      oneOf(['answer', 'reject']),
      'What to do if the task has already ended: answer with it, or reject the request',
    ),
  }),
  delete: closed('DeleteOperation', { action: v.literal('delete'), status, answer }),
  list: closed('ListOperation', {
    action: v.literal('list'),
    status,
    answer: template(PAGE),
    item: optional(mappingTemplate(TASK), 'A task in the list. The default is the task as in other answers'),
    limit: optional(
      closed('PageSize', {
        parameter: optional(text, 'The query parameter', 'limit'),
        default: optional(integerFrom(1, 1_000), 'The page size without the parameter', 20),
        max: optional(integerFrom(1, 1_000), 'The largest page size', 100),
      }),
      'The page size',
    ),
    offset: optional(text, 'The query parameter with the number of tasks to skip'),
    after: optional(text, 'The query parameter with the id of the last task of the previous page'),
  }),
  stream: closed('StreamOperation', {
    action: v.literal('stream'),
    key: optional(oneOf(['none']), '`none` if the id of the task is enough, without an API key'),
    events: described(
      closed('StreamEvents', {
        output: optional(streamEvents, 'A part of the output: a piece of a text, or the URL of a file'),
        succeeded: optional(streamEvents, 'The end of a success'),
        failed: optional(streamEvents, 'The end of a failure'),
        canceled: optional(streamEvents, 'The end of a canceled task'),
      }),
      'The server-sent events',
    ),
  }),
  parts: closed('PartsOperation', {
    action: v.literal('parts'),
    status,
    answer: template(Object.keys(PARTS_VALUES)),
    part: optional(template(Object.keys(PART_VALUES)), 'One part in {{parts}}. The default is {{part}}'),
    wait: described(milliseconds, 'How many milliseconds to hold the answer until there is a part'),
  }),
  file: closed('FileOperation', {
    action: v.literal('file'),
    index: optional(v.union([textTemplate(REQUEST), integerFrom(0)]), 'The index of the file'),
  }),
  count: closed('CountOperation', {
    action: v.literal('count'),
    status,
    answer: template(Object.keys(COUNT_VALUES)),
    model: optional(textTemplate(REQUEST), 'The model of the tasks. The default is any model'),
  }),
  cancel_queued: closed('CancelQueuedOperation', {
    action: v.literal('cancel_queued'),
    status,
    answer: template(Object.keys(CANCELED_VALUES)),
    model: optional(textTemplate(REQUEST), 'The model of the tasks. The default is any model'),
  }),
  upload: closed('UploadOperation', {
    action: v.literal('upload'),
    status,
    answer: uploadAnswer,
    from: optional(
      oneOf(['body', 'form', 'url']),
      'Where the file is: in the body, in a form, or sent later to {{url}}',
      'body',
    ),
    file: optional(text, 'The field of the form that holds the file', 'file'),
    name: optional(textTemplate(REQUEST), 'The name of the file. The default is its name in the form'),
    content_type: optional(textTemplate(REQUEST), 'The type of the file. The default is that of the request'),
    require: optional(v.array(text), 'The fields that the request must have'),
    keep: optional(
      mappingTemplate(REQUEST),
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
  }),
  list_uploads: closed('ListUploadsOperation', {
    action: v.literal('list_uploads'),
    status,
    answer: optional(
      template(Object.keys(UPLOAD_LIST_VALUES)),
      'The body of the answer. The default is {{uploads}}',
    ),
  }),
  delete_upload: closed('DeleteUploadOperation', {
    action: v.literal('delete_upload'),
    status,
    answer: uploadAnswer,
  }),
  fixed: closed('FixedOperation', {
    action: v.literal('fixed'),
    status,
    answer: template(Object.keys(FIXED_VALUES)),
  }),
}
type Forms = typeof FORMS
type ActionName = keyof Forms

/** The actions that need no further settings. */
const WORDS = ['retrieve', 'cancel', 'delete', 'retrieve_upload', 'list_uploads', 'delete_upload'] as const
const ACTIONS = Object.keys(FORMS) as ActionName[]
const FORM = 'expected a word such as `retrieve`, `cancel` or `delete`, or a mapping with an `action`'

const mapping = ofAction()
const action = v.union([v.picklist(WORDS), mapping])

/** An action: its name, or a mapping with its settings. */
const actionSchema = {
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

const PLACE = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/

const place = textLike(PLACE, 'expected a method and a path, such as `GET /jobs/{task_id}`')

/** The operations, by method and path. */
export const operations = v.pipe(
  byName(place, actionSchema),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const [key, value] of Object.entries(dataset.value)) {
      const needed = PARAMETERS[value.action]
      if (needed === undefined || key.includes(needed)) continue
      const message = `the action \`${value.action}\` needs the id of ${NAMES[needed]}; add \`${needed}\` to the path`
      addIssue({ message, path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }] })
    }
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const { place: key, other } of samePaths(Object.keys(dataset.value))) {
      const message = `the path matches the same requests as \`${other}\`; use the same names of parameters in both`
      const value = dataset.value[key]
      addIssue({ message, path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }] })
    }
  }),
  v.transform((byPlace) =>
    Object.entries(byPlace).map(([key, value]) => {
      const [, method = '', path = ''] = PLACE.exec(key) ?? []
      return { method, path, ...value }
    }),
  ),
)

/** The parameters that the paths of actions need. */
const NAMES = { '{task_id}': 'a task', '{upload_id}': 'an upload' } as const
const PARAMETERS: { readonly [Action in ActionName]?: keyof typeof NAMES } = {
  retrieve: '{task_id}',
  result: '{task_id}',
  cancel: '{task_id}',
  delete: '{task_id}',
  file: '{task_id}',
  stream: '{task_id}',
  parts: '{task_id}',
  retrieve_upload: '{upload_id}',
  delete_upload: '{upload_id}',
}
