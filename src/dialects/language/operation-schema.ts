import * as v from 'valibot'
import { byName, closed, converted, named } from '../../scenario/schema/forms.js'
import { described, text, textLike } from '../../scenario/schema/parts.js'
import type { DialectOperation } from '../table/dialect-table.generated.js'
import { TASK_PARAMETER } from '../table/requests/task-parameter.js'
import { namesIn } from '../table/template/compile.js'
import { type ActionName, actionForm, actionSchema } from './actions/action-schema.js'
import { object } from './actions/answer-fields.js'

const OPERATION_KEY = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/
const operationKey = textLike(OPERATION_KEY, 'expected a method and a path, such as `GET /jobs/{task_id}`')

/** The parameters that the paths of actions need. */
const NAMES = { '{task_id}': 'a task', '{upload_id}': 'an upload', '{receiver_id}': 'a receiver' } as const

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
  retrieve_receiver: '{receiver_id}',
  update_receiver: '{receiver_id}',
  delete_receiver: '{receiver_id}',
  ping_receiver: '{receiver_id}',
  rotate_secret: '{receiver_id}',
}

/** A parameter, perhaps with constant text after it. */
const SEGMENT = /^\{\w+(?:\}[^{}]*|\.\.\.\})$/

/** What a path lacks for its action; undefined if it lacks nothing. */
function mistakeInParameters(key: string, operation: OperationForm): string | undefined {
  const { action } = operation
  const needed = PARAMETERS[action]
  if (needed === undefined || key.includes(needed)) return undefined
  const isElsewhere = 'task' in operation && operation.task !== undefined
  if (isElsewhere) return undefined
  const help = needed === '{task_id}' ? ', or say in `task` where it is' : ''
  return `the action \`${action}\` needs the id of ${NAMES[needed]}; add \`${needed}\` to the path${help}`
}

/** What is wrong with an operation that answers with a file; undefined if nothing is. */
function mistakeInGivenFile(_: string, operation: OperationForm): string | undefined {
  if (operation.action !== 'create' && operation.action !== 'retrieve') return undefined
  const { action, gives, gives_if: givesIf, wait } = operation
  if (gives === undefined)
    return givesIf === undefined ? undefined : '`gives_if` needs `gives`; add `gives: file`'
  if (action === 'retrieve' || wait !== undefined) return undefined
  return '`gives: file` needs `wait`, which holds the answer until there is a file, such as `wait: 60000`'
}

/** What is wrong with a segment of a path; undefined if nothing is. */
function mistakeInSegment(key: string): string | undefined {
  const segment = key.split('/').find((each) => each.includes('{') && !SEGMENT.test(each))
  if (segment === undefined) return undefined
  return `\`${segment}\` is not a segment of a path: expected constant text, \`{name}\`, \`{name}:text\` or \`{name...}\``
}

/** What is wrong after a parameter of several segments; undefined if nothing is. */
function mistakeAfterRest(key: string): string | undefined {
  const [rest] = /\{\w+\.\.\.\}(?=.*\{)/.exec(key) ?? []
  if (rest === undefined) return undefined
  return `only constant segments may follow \`${rest}\`, which matches any number of segments`
}

/** What is wrong with the parameter with the id of the task; undefined if nothing is. */
function mistakeInTaskParameter(key: string, operation: OperationForm): string | undefined {
  const inBody =
    'task' in operation && operation.task !== undefined && TASK_PARAMETER.exec(operation.task)?.[1] === 'body'
  return inBody && key.startsWith('GET ')
    ? 'a GET request has no body; use another method, or {{query.NAME}} in `task`'
    : undefined
}

type OperationForm = v.InferOutput<typeof actionSchema>

type Operations = Record<string, OperationForm>

/** Reports a mistake in each key for which a function returns a message. */
const checkEach = (mistakeIn: (key: string, value: OperationForm) => string | undefined) =>
  v.rawCheck<Operations>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const [key, value] of Object.entries(dataset.value)) {
      const message = mistakeIn(key, value)
      if (message !== undefined)
        addIssue({ message, path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }] })
    }
  })

/** An operation after the conversion of the mapping to a list. */
const operation = named(
  'DialectOperation',
  v.intersect([
    closed('OperationKey', {
      method: described(text, 'The method'),
      path: described(v.string(), 'The path below the prefix'),
      object,
    }),
    actionForm,
  ]),
)

/** The operations, by method and path. */
export const operations = v.pipe(
  byName(operationKey, actionSchema),
  checkEach(mistakeInParameters),
  checkEach(mistakeInTaskParameter),
  checkEach(mistakeInGivenFile),
  checkEach(mistakeInSegment),
  checkEach(mistakeAfterRest),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const { key, other } of samePaths(Object.keys(dataset.value))) {
      const message = `the path matches the same requests as \`${other}\`; use the same names of parameters in both`
      const value = dataset.value[key]
      addIssue({ message, path: [{ type: 'object', origin: 'key', input: dataset.value, key, value }] })
    }
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const [key, value] of Object.entries(dataset.value)) {
      const mistake = mistakeInStream(value)
      if (mistake === undefined) continue
      const { field, message } = mistake
      const item = { type: 'object', origin: 'key', input: value, key: field } as const
      const parent = { type: 'object', origin: 'value', input: dataset.value, key, value } as const
      addIssue({ message, path: [parent, { ...item, value: Object(value)[field] }] })
    }
  }),
  converted(v.array(operation), (byKey) =>
    Object.entries(byKey).map(([key, value]) => {
      const [, method = '', path = ''] = OPERATION_KEY.exec(key) ?? []
      // `GET /` is at the prefix itself.
      return { method, path: path === '/' ? '' : path, ...value }
    }),
  ),
)

/** Two operations whose paths differ only in the names of parameters. */
interface SamePaths {
  readonly key: string
  /** The operation before it. */
  readonly other: string
}

/**
 * Finds operations whose paths match the same requests under different names of parameters.
 * @param keys methods and paths, such as `GET /jobs/{task_id}`
 */
function samePaths(keys: readonly string[]): SamePaths[] {
  const first = new Map<string, string>()
  return keys.flatMap((key) => {
    const path = pathOf(key)
    const shape = path.replace(/\{\w*(\.\.\.)?\}/g, '{$1}')
    const other = first.get(shape) ?? key
    first.set(shape, other)
    return pathOf(other) === path ? [] : [{ key, other }]
  })
}

function pathOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

/** A mistake in a field about the stream of an operation. */
interface StreamMistake {
  readonly field: 'events' | 'stream_if' | 'resume_after'
  readonly message: string
}

type Streamed = Extract<DialectOperation, { action: 'create' | 'retrieve' | 'stream' }>

/** The settings of an operation, without its key. */
type Settings<Of> = Of extends unknown ? Omit<Of, 'method' | 'path'> : never

/** The first mistake in the fields about the stream of an operation; undefined if there is none. */
function mistakeInStream(operation: Settings<DialectOperation>): StreamMistake | undefined {
  const { action } = operation
  return action === 'create' || action === 'retrieve' || action === 'stream'
    ? mistakeIn(operation)
    : undefined
}

function mistakeIn(operation: Settings<Streamed>): StreamMistake | undefined {
  const { action, events } = operation
  const streamIf = 'stream_if' in operation ? operation.stream_if : undefined
  const resumeAfter = 'resume_after' in operation ? operation.resume_after : undefined
  if (events === undefined) {
    if (streamIf !== undefined) return { field: 'stream_if', message: '`stream_if` needs `events`; add them' }
    if (resumeAfter === undefined) return undefined
    return { field: 'resume_after', message: '`resume_after` needs `events`; add them' }
  }
  if (action === 'retrieve' && streamIf === undefined) return { field: 'events', message: EVENTS_ALONE }
  return resumeAfter === undefined ? undefined : mistakeInResumption(events)
}

function mistakeInResumption(events: NonNullable<Streamed['events']>): StreamMistake | undefined {
  if (events.queued !== undefined || events.processing !== undefined)
    return { field: 'resume_after', message: NOT_THE_SAME }
  const names = namesIn(JSON.parse(JSON.stringify(events)))
  return names.has('sequence') ? undefined : { field: 'resume_after', message: NO_NUMBERS }
}

const EVENTS_ALONE =
  '`events` of `retrieve` need `stream_if`, which selects the requests for a stream, such as "{{query.stream}}"'

const NOT_THE_SAME =
  'a stream with the events `queued` or `processing` cannot resume, because they depend on when the client connects; use `created` and `started`'

const NO_NUMBERS = 'a stream can only resume if its events contain `{{sequence}}`; add it'
