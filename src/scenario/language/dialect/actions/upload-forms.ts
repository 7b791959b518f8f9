import * as v from 'valibot'
import { byName, closed } from '../../schema/forms.js'
import { oneOf, optional, positiveDuration, text } from '../../schema/parts.js'
import { mappingTemplate, template, textTemplate } from '../template-check.js'
import { PLACES } from '../template-places.js'
import { itemPage, status, uploadAnswer } from './answer-fields.js'

/** The actions on uploaded files. */
export const UPLOAD_FORMS = {
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
    name: optional(textTemplate(PLACES.request), 'The name of the file. The default is its name in the form'),
    id: optional(
      textTemplate(PLACES.request),
      'The id of the upload, if the client has chosen one. By default, tasksim draws it',
    ),
    processing: optional(
      byName(text, positiveDuration),
      'How long the service processes a file, by the first part of its type, such as `video`. By default, a file is ready at once',
    ),
    content_type: optional(
      textTemplate(PLACES.request),
      'The type of the file. The default is that of the request',
    ),
    require: optional(v.array(text), 'The fields that the request must have'),
    keep: optional(
      mappingTemplate(PLACES.request),
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
    answer: optional(template(PLACES.uploads), 'The body of the answer. The default is {{uploads}}'),
    ...itemPage,
  }),
  delete_upload: closed('DeleteUploadOperation', {
    action: v.literal('delete_upload'),
    status,
    answer: uploadAnswer,
  }),
}
