import { KINDS, STATUSES } from '../../engine/tasks/task.js'
import type { Descriptions } from '../description.js'
import { name, object, oneOf, pageOf, ref, text, word } from '../schema.js'
import { asked, BAD_BODY, idOf, PAGE } from './parameters.js'

const FILE = { type: 'string', format: 'binary' }

const TASK = { 200: { description: 'The task', schema: ref('Task') } }

/** What looks at tasks, and has its way with one. */
export const TASK_OPERATIONS: Descriptions = {
  'sim.tasks.list': {
    path: '/_sim/tasks',
    tag: 'Tasks',
    summary: 'List the tasks of all API keys',
    query: {
      status: asked('Only tasks in this state', word('A state', STATUSES)),
      model: asked('Only tasks of this model'),
      kind: asked('Only tasks of this kind', word('A kind', KINDS)),
      key: asked('Only tasks of this API key, as it is or masked'),
      text: asked('Only tasks with this in their id, model, input or error'),
      brief: asked('`true` for one line a task, without input and output', word('Or not', ['true', 'false'])),
      ...PAGE,
    },
    answers: {
      200: {
        description: 'The page',
        schema: pageOf(oneOf('In full, or in brief', ref('Task'), ref('TaskBrief'))),
      },
    },
    errors: ['invalid_request'],
  },
  'sim.tasks.read': {
    path: '/_sim/tasks/{id}',
    tag: 'Tasks',
    summary: 'Read a task, and what will become of it',
    params: idOf('task'),
    answers: TASK,
    errors: ['task_not_found'],
  },
  'sim.tasks.file': {
    path: '/_sim/tasks/{id}/files/{file}',
    tag: 'Tasks',
    summary: 'Look at an output file',
    description: 'Without the signed URL, and without being a download of the client under test.',
    params: {
      ...idOf('task'),
      file: { description: 'Its place among the files of the task, from 0', schema: { type: 'integer' } },
    },
    answers: {
      200: { description: 'The file', type: '*/*', schema: FILE },
      206: { description: 'The part that was asked for', type: '*/*', schema: FILE },
      304: { description: 'What is at hand is still right' },
    },
    errors: ['not_found', 'range_not_satisfiable'],
  },
  'sim.tasks.finish': {
    path: '/_sim/tasks/{id}/finish',
    tag: 'Tasks',
    summary: 'End a task now',
    description: 'As it was planned, or as the body says.',
    params: idOf('task'),
    body: {
      schema: object({
        'status?': word('How it ends; as it was planned unless given', ['succeeded', 'failed', 'canceled']),
        'error?': object(
          { code: name('A word for programs'), 'message?': text('A sentence for people') },
          { description: 'What it fails with' },
        ),
      }),
      examples: {
        'as planned': {},
        'as a failure': { status: 'failed', error: { code: 'content_policy', message: 'No.' } },
      },
    },
    answers: TASK,
    errors: [...BAD_BODY, 'task_not_found', 'conflict'],
  },
  'sim.tasks.hold': {
    path: '/_sim/tasks/{id}/hold',
    tag: 'Tasks',
    summary: 'Keep a task from ending by itself',
    params: idOf('task'),
    answers: TASK,
    errors: [...BAD_BODY, 'task_not_found', 'conflict'],
  },
  'sim.tasks.release': {
    path: '/_sim/tasks/{id}/release',
    tag: 'Tasks',
    summary: 'Let a held task go on',
    params: idOf('task'),
    answers: TASK,
    errors: [...BAD_BODY, 'task_not_found', 'conflict'],
  },
}
