import * as v from 'valibot'
import { list } from '../../engine/suggest.js'
import { KIND_NAMES } from '../../kinds/built-in-kinds.js'
import { anyOf, byName, closed, converted } from '../../scenario/schema/forms.js'
import { dialectName, headerName, headerText, settableHeader } from '../../scenario/schema/names.js'
import {
  checkFields,
  described,
  nonEmptyList,
  oneOf,
  optional,
  positiveDuration,
  text,
  textLike,
} from '../../scenario/schema/parts.js'
import { error } from './error-schema.js'
import { checked, ended } from './facts-schema.js'
import { operations } from './operation-schema.js'
import { ids, statuses } from './status-schema.js'
import { flawOfCreates, flawOfEnded, flawOfObjects, flawOfOperations } from './table-flaws.js'
import { CONTEXTS, mappingTemplate, template, textTemplate } from './template-check.js'
import { objectWebhook, webhook } from './webhook-schema.js'

const origin = textLike(
  /^https?:\/\/[^/\s]+$/,
  'expected an origin without a path, such as https://api.example.com',
)

const pathStart = textLike(/^(?:\/[^/\s{}]+)*$/, 'expected a path without a final slash, such as /v1')

const host = closed('DialectHost', {
  origin: described(origin, 'Such as https://api.example.com'),
  path: described(pathStart, 'The start of the paths of its operations; empty if the service has one host'),
})

/** Origins; or, for a service with several hosts, the starts of the paths of their operations by origin. */
const hosts = v.pipe(
  anyOf(
    'expected a list of origins, or a mapping of origins to paths',
    v.array(origin),
    byName(origin, pathStart),
  ),
  converted(v.array(host), (given) =>
    Array.isArray(given)
      ? given.map((each: string) => ({ origin: each, path: '' }))
      : Object.entries(given).map(([each, path]) => ({ origin: each, path })),
  ),
)

const kindName = textLike(
  new RegExp(`^(?:${KIND_NAMES.join('|')})$`),
  `expected the name of a kind: ${list(KIND_NAMES)}`,
)

const parameterName = textLike(/^\w+$/, 'expected the name of a parameter, such as version')
const parameterValue = textLike(/^[\w-]+$/, 'expected letters, digits, `_` and `-`')
const objectName = textLike(/^[a-z][a-z0-9_]*$/, 'expected a word in lower case, such as video')

const keyForm = {
  header: optional(headerName, 'The header of the key', 'Authorization'),
  scheme: optional(headerText, 'The word before the key, such as Bearer'),
  query: optional(text, 'The query parameter that may hold the key if the header is missing'),
}

const inputFields = v.array(text)

const pollInterval = optional(
  positiveDuration,
  'The interval of polls that the service recommends. By default, it depends on the kind of task',
)

const answerHeaders = optional(
  byName(settableHeader, textTemplate(CONTEXTS.answer)),
  'The headers of every answer about one task, such as one with its id',
)

const object = closed('DialectObject', {
  ids: described(ids, 'The form of their ids'),
  statuses: described(statuses, 'The word of each state, and the fields that a task has in that state only'),
  task: described(mappingTemplate(CONTEXTS.task), 'A task, in every state'),
  poll_interval: pollInterval,
  headers: answerHeaders,
  file: optional(mappingTemplate(CONTEXTS.file), 'An entry of their `{{file_list}}`, if it differs'),
  webhook: optional(objectWebhook, 'Their webhooks. The default is none'),
})

const fields = closed('Dialect', {
  name: described(dialectName, 'The name in options and paths'),
  title: described(text, 'The name of the service'),
  checked: optional(checked, 'When, and against what, the file was compared with the service'),
  ended: optional(
    ended,
    'The parts of the service that have ended, or will. tasksim still serves them, unless the scenario says `ended: as-today`',
  ),
  hosts: optional(hosts, "The origins that the service's own clients call; several with paths of their own"),
  file_host: optional(
    origin,
    "The origin of output files, for clients that call the service's hosts: some apps accept files from there only",
  ),
  forward: optional(
    closed('DialectForward', {
      path: described(pathStart, 'The path at which the requests arrive, below the name of the dialect'),
      header: described(headerName, 'The header with the URL for which a request is'),
    }),
    'Where clients send requests for any of the hosts, as to a proxy',
  ),
  poll_interval: pollInterval,
  models: optional(
    v.array(text),
    'Models that the service offers, as suggestions. A request may name any other',
  ),
  prefix: optional(pathStart, 'The start of all paths'),
  aliases: optional(v.array(pathStart), 'Further starts of the same paths, in place of `prefix`'),
  help: optional(
    text,
    'A sentence that says where the operations are, for the error of an unknown path. By default, the error names the nearest operations',
  ),
  configurable: optional(
    v.boolean(),
    'Whether the scenario decides what it says under `api` and `webhooks`, in place of this file: the status of an answer to a create request, the form of errors, whether tasks can be canceled, and the secret, signature, retries and timeout of webhooks',
    false,
  ),
  base_for: optional(
    byName(text, origin),
    'The values of {{base}} for clients whose User-Agent contains a text. By default, the URL that they have called',
  ),
  parameters: optional(
    byName(parameterName, v.array(parameterValue)),
    'The values that parameters in paths may have, such as versions. Requests with others have unknown paths',
  ),
  options: optional(
    closed('DialectOptions', {
      n: optional(inputFields, 'The number of pictures or videos'),
      duration: optional(inputFields, 'The seconds of a video or a sound'),
      size: optional(inputFields, 'The size, such as 1280x720'),
      aspect_ratio: optional(inputFields, 'The ratio of width to height'),
      resolution: optional(inputFields, 'The resolution, such as 720p'),
      output_format: optional(inputFields, 'The format of files'),
      generate_audio: optional(inputFields, 'Whether a video has sound'),
    }),
    'The fields of `input` that decide what is generated, the first that is given; an empty list if the service has none. By default, those of docs/media.md',
  ),
  key: optional(
    closed('Key', {
      ...keyForm,
      or: optional(
        nonEmptyList(closed('KeyForm', keyForm)),
        'Further places, which are tried in turn if the first one has no key',
      ),
    }),
    'Where a request carries its API key',
  ),
  require_headers: optional(
    v.array(headerName),
    'The headers that every request must have, besides that of the key',
  ),
  ids: described(ids, 'The form of the ids of tasks'),
  statuses: described(statuses, 'The word of each state, and the fields that a task has in that state only'),
  task: described(mappingTemplate(CONTEXTS.task), 'A task, in every state'),
  objects: optional(byName(objectName, object), 'Tasks of other types, by the name of the type'),
  removed: optional(
    mappingTemplate(CONTEXTS.task),
    'The fields of a task whose data are not kept any more, in place of those with the same names',
  ),
  outputs: optional(
    closed('DialectOutputs', {
      lifetime: optional(
        positiveDuration,
        'How long an output URL is valid, unless the scenario says it',
        '24h',
      ),
      retention: optional(
        positiveDuration,
        'How long the data of an ended task are kept, unless the scenario says it',
        '30d',
      ),
      before_end: optional(
        oneOf(['text']),
        'What answers about one task have of its output before the end: the beginning of a text',
      ),
      data_urls: optional(
        oneOf(['over-http']),
        'When answers about one task give its files as data URLs: to clients that reach tasksim without TLS',
      ),
      data_urls_for: optional(
        byName(text, v.array(kindName)),
        'The kinds of tasks whose files are data URLs for clients whose User-Agent contains a text',
      ),
      data_urls_if: optional(
        textTemplate(CONTEXTS.task),
        'A condition on the task: if its value is neither missing nor null nor false, answers and streams give its files as data URLs',
      ),
      url: optional(
        textTemplate(CONTEXTS.fileUrl),
        'The URL of a file in answers. The default is a signed URL, which needs no key',
      ),
    }),
    'How long outputs are valid, and how answers give the files of a task. By default, as URLs',
  ),
  headers: answerHeaders,
  results: optional(
    byName(kindName, template(CONTEXTS.answer)),
    '`{{result}}`, by the kind of the model. The default is the output',
  ),
  file: optional(mappingTemplate(CONTEXTS.file), 'An entry of `{{file_list}}`. The default has its `url`'),
  log_line: optional(
    mappingTemplate(CONTEXTS.logLine),
    'An entry of `{{log_lines}}`. The default has its `message`',
  ),
  upload: optional(
    mappingTemplate(CONTEXTS.upload),
    'An uploaded file. The default has its URL in the field `url`',
  ),
  receiver: optional(
    mappingTemplate(CONTEXTS.receiver),
    'A registered receiver of webhooks, as answers show it. The default has its `id` and `url`',
  ),
  error: described(error, 'How the service rejects a request'),
  rate_limit_headers: optional(
    closed('DialectLimitHeaders', {
      limit: optional(settableHeader, 'The header with the number of requests per period'),
      remaining: optional(settableHeader, 'The header with the number of requests that are left'),
      reset: optional(settableHeader, 'The header with the time until all requests are available again'),
      reset_as: optional(
        oneOf(['duration']),
        '`duration` if that time is a text such as 6m0s. By default, it is a number of seconds',
      ),
    }),
    'The headers with the state of a rate limit. By default, those of the scenario',
  ),
  operations: described(operations, 'What the service does, by method and path'),
  webhook: optional(webhook, 'How the service sends webhooks'),
})

/** The schema of a dialect file. */
export const dialectSchema = v.pipe(
  fields,
  checkFields(flawOfObjects, 'objects'),
  checkFields(flawOfOperations, 'operations'),
  checkFields(flawOfCreates, 'operations'),
  checkFields(flawOfEnded, 'ended'),
)
