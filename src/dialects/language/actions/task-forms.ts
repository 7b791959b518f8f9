import * as v from 'valibot'
import { IMAGE_FORMATS } from '../../../engine/assets/media-spec.js'
import { KIND_NAMES } from '../../../kinds/built-in-kinds.js'
import { byName, closed } from '../../../scenario/schema/forms.js'
import { contentType, headerName, headerText } from '../../../scenario/schema/names.js'
import { integerFrom, oneOf, optional, text } from '../../../scenario/schema/parts.js'
import { CONTEXTS, mappingTemplate, template, textTemplate } from '../template-check.js'
import {
  answer,
  fileStates,
  gives,
  givesIf,
  logsIf,
  object,
  objectOrAny,
  rejectedOrders,
  rejectedRequests,
  requiredFields,
  resumeAfter,
  states,
  status,
  streamEvents,
  streamIf,
  task,
  wait,
} from './answer-fields.js'

/** The actions on one task. */
export const TASK_FORMS = {
  create: closed('CreateOperation', {
    action: v.literal('create'),
    object,
    status,
    answer,
    kind: optional(oneOf(KIND_NAMES), 'The kind of the model, if the path decides it'),
    from: optional(
      oneOf(['form']),
      '`form` if a request may also be a form, whose files become URLs of uploads. By default, it is JSON',
    ),
    source: optional(
      textTemplate(CONTEXTS.request),
      'The id of another task of the key, whose values are {{source.NAME}}. A request with an unknown id is rejected',
    ),
    headers: optional(
      byName(headerName, headerText),
      'Further headers that clients send, with their values, for the requests that tasksim writes',
    ),
    model: optional(textTemplate(CONTEXTS.request), 'The model. The default is {{body.model}}'),
    input: optional(template(CONTEXTS.request), 'The parameters of the model. The default is {{body}}'),
    require: requiredFields,
    check_input: optional(
      v.boolean(),
      'Whether the input must be valid for the kind of the model. By default, tasksim only checks what decides the output',
      false,
    ),
    reject: rejectedOrders,
    fields: optional(v.array(text), 'All fields that the service knows; others are reported as unknown'),
    unknown_fields: optional(
      oneOf(['reject']),
      '`reject` if the service rejects fields that are not in `fields`. By default, it ignores them',
    ),
    keep: optional(
      mappingTemplate(CONTEXTS.request),
      'Values of the request that later answers need, as {{kept.NAME}}',
    ),
    shows: optional(
      oneOf(['queued']),
      '`queued` if an answer that does not wait shows the task before its start',
    ),
    wait,
    gives,
    gives_if: givesIf,
    states,
    events: optional(
      streamEvents,
      'The server-sent events that answer the request in place of a task, until the task has ended',
    ),
    stream_if: optional(
      streamIf,
      'Which requests `events` answer: a value that is neither missing nor null nor false. The default is all',
    ),
    wait_if: optional(
      textTemplate(CONTEXTS.request),
      'The requests whose answers wait: a value that is neither missing nor null nor false. The default is all',
    ),
  }),
  retrieve: closed('RetrieveOperation', {
    action: v.literal('retrieve'),
    object,
    task,
    reject: rejectedRequests,
    status,
    answer,
    states,
    wait,
    gives,
    gives_if: givesIf,
    logs_if: logsIf,
    events: optional(
      streamEvents,
      'The server-sent events that answer some requests in place of the task, until the task has ended',
    ),
    stream_if: optional(
      streamIf,
      'Which requests `events` answer: a value that is neither missing nor null nor false',
    ),
    resume_after: resumeAfter,
  }),
  result: closed('ResultOperation', {
    action: v.literal('result'),
    object,
    task,
    reject: rejectedRequests,
    status,
    answer,
    states,
    search: optional(
      textTemplate(CONTEXTS.request),
      'The words to search a transcript for, separated by commas, as {{matches}}',
    ),
    text: optional(textTemplate(CONTEXTS.answer), 'The answer, if it is not JSON'),
    content_type: optional(contentType, 'The Content-Type of `text`'),
  }),
  cancel: closed('CancelOperation', {
    action: v.literal('cancel'),
    object,
    task,
    reject: rejectedRequests,
    status,
    answer,
    states,
    ended: optional(
      oneOf(['answer', 'reject']),
      'What to do if the task has already ended: answer with it, or reject the request',
    ),
  }),
  delete: closed('DeleteOperation', {
    action: v.literal('delete'),
    object,
    task,
    reject: rejectedRequests,
    status,
    answer,
    keeps_record: optional(
      v.boolean(),
      'Whether only the data of the task are deleted, so that it can still be read',
      false,
    ),
  }),
  file: closed('FileOperation', {
    action: v.literal('file'),
    object: objectOrAny,
    task,
    states: fileStates,
    reject: rejectedRequests,
    index: optional(v.union([textTemplate(CONTEXTS.request), integerFrom(0)]), 'The index of the file'),
    redirect: optional(
      integerFrom(301, 308),
      'The status that redirects to the signed URL of the file, such as 302. By default, the answer is the file',
    ),
    picture: optional(textTemplate(CONTEXTS.request), 'The word that selects one of `pictures`'),
    pictures: optional(
      byName(text, oneOf(IMAGE_FORMATS)),
      'The formats of pictures of the size of the output, by their words. Another word selects the file',
    ),
  }),
}
