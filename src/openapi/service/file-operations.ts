import type { ContentDescription, Descriptions, ParameterDescription } from '../description.js'
import { text } from '../schema.js'

const IN_PATH: Readonly<Record<string, ParameterDescription>> = {
  task: { description: 'The id of the task', schema: text('The id of the task') },
  file: {
    description: 'The place of the file among those of the task, and its ending',
    schema: text('The file', { examples: ['0.png'] }),
  },
}

const header = (description: string): ParameterDescription => ({ description, schema: { type: 'string' } })

const ABOUT: Readonly<Record<string, ParameterDescription>> = {
  ETag: header('Strong: the same bytes have the same tag'),
  'Last-Modified': header('When the task ended'),
}

const file = (description: string, more: ContentDescription['headers'] = {}): ContentDescription => ({
  description,
  type: '*/*',
  schema: { description: 'The bytes' },
  headers: { ...ABOUT, 'Accept-Ranges': header('`bytes`'), ...more },
})

/** The operations on files. */
export const FILE_OPERATIONS: Descriptions = {
  'files.download': {
    path: '/files/{task}/{file}',
    tag: 'Files',
    summary: 'Download an output file',
    description:
      'Under the URL that the task gave, which needs no API key, and expires. A file is made when it is first fetched. The path of a task in a sandbox has the id of the sandbox behind `/files`.',
    params: IN_PATH,
    query: {
      expires: { description: 'Until when the URL is valid, in epoch seconds', schema: { type: 'integer' } },
      signature: { description: 'What makes the URL valid', schema: { type: 'string' } },
    },
    headers: {
      Range: header('One range of bytes, such as `bytes=0-1023`'),
      'If-None-Match': header('An ETag that is at hand'),
      'If-Modified-Since': header('A date that is at hand'),
      'If-Range': header('The ETag or date of which a part is at hand'),
    },
    answers: {
      200: file('The file'),
      206: file('The part that was asked for', { 'Content-Range': header('Which part of how many bytes') }),
      304: { description: 'What is at hand is still right', headers: ABOUT },
    },
    errors: ['forbidden', 'not_found', 'output_expired', 'range_not_satisfiable'],
  },
  'files.preflight': {
    path: '/files/{task}/{file}',
    tag: 'Files',
    summary: 'Ask whether a page may fetch a file',
    description: 'What a browser asks before it fetches from a page of another origin; any may.',
    params: IN_PATH,
    answers: {
      204: {
        description: 'It may',
        headers: { 'Access-Control-Allow-Origin': header('`*`') },
      },
    },
  },
}
