import { STATUSES } from '../../engine/tasks/task.js'
import type { Descriptions } from '../description.js'
import { ref, text, word } from '../schema.js'

const ID = { id: { description: 'The id of the task', schema: text('The id of the task') } }
const REFUSED = ['unauthorized', 'rate_limited'] as const
const X_SIM = {
  'X-Sim': {
    description:
      'An exception for this request alone, such as `outcome=failed error=content_policy`, or `fault=503`',
    schema: { type: 'string' },
  },
}

const CREATED = {
  id: 'task_82wsE0eJdLYSLPR9BIkYOFzx',
  model: 'acme/image-1',
  status: 'processing',
  input: { prompt: 'a lighthouse at dawn' },
  created_at: '2026-01-01T00:00:00.000Z',
}
const SUCCEEDED = {
  ...CREATED,
  status: 'succeeded',
  output: {
    images: [
      'http://127.0.0.1:4010/files/task_82wsE0eJdLYSLPR9BIkYOFzx/0.png?expires=1767312002&signature=...',
    ],
  },
  cost_usd: 0.04,
  completed_at: '2026-01-01T00:00:02.000Z',
}
const CANCELED = { ...CREATED, status: 'canceled', cost_usd: 0, completed_at: '2026-01-01T00:00:01.000Z' }

/** The operations on tasks. */
export const TASK_OPERATIONS: Descriptions = {
  'tasks.create': {
    path: '/api/v1/tasks',
    tag: 'Tasks',
    summary: 'Create a task',
    description:
      'Answers at once; the task goes on by the clock. It is `queued` only where the capacity of the scenario is used up. Fields that nobody knows are accepted.',
    headers: X_SIM,
    body: {
      schema: ref('NewTask'),
      examples: {
        'a picture': { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn', n: 2 } },
        'a video, with a webhook': {
          model: 'acme/video-1',
          input: { prompt: 'waves', duration: 8 },
          webhook_url: 'http://localhost:3000/webhooks',
        },
        'a chat': {
          model: 'acme/composer-2.5',
          input: { messages: [{ role: 'user', content: 'Write a function that adds two numbers.' }] },
        },
      },
    },
    answers: {
      200: {
        description: 'The task. The status is 201 or 202 where the scenario says `api.create_status`',
        schema: ref('Task'),
        example: CREATED,
      },
    },
    errors: [
      'invalid_json',
      'invalid_request',
      ...REFUSED,
      'insufficient_credits',
      'model_not_found',
      'payload_too_large',
      'unsupported_media_type',
      'unavailable',
    ],
  },
  'tasks.retrieve': {
    path: '/api/v1/tasks/{id}',
    tag: 'Tasks',
    summary: 'Retrieve a task',
    description: 'Gives the whole task, as it is now. The URLs in its output are fresh with each answer.',
    params: ID,
    headers: X_SIM,
    answers: { 200: { description: 'The task', schema: ref('Task'), example: SUCCEEDED } },
    errors: ['invalid_request', ...REFUSED, 'task_not_found'],
  },
  'tasks.list': {
    path: '/api/v1/tasks',
    tag: 'Tasks',
    summary: 'List tasks',
    description: 'Gives a page of the tasks of this API key, newest first.',
    headers: X_SIM,
    query: {
      status: { description: 'Only tasks in this state', schema: word('A state', STATUSES) },
      model: { description: 'Only tasks of this model', schema: { type: 'string' } },
      limit: {
        description: 'How many at the most',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      after: {
        description: 'The `next_cursor` of the page before, or the id of a task',
        schema: { type: 'string' },
      },
    },
    answers: {
      200: {
        description: 'The page',
        schema: ref('TaskPage'),
        example: { data: [SUCCEEDED], has_more: false, next_cursor: null },
      },
    },
    errors: ['invalid_request', ...REFUSED],
  },
  'tasks.cancel': {
    path: '/api/v1/tasks/{id}/cancel',
    tag: 'Tasks',
    summary: 'Cancel a task',
    description:
      'An extension: `api.cancel: false` in a scenario turns it off, and it answers 404. A task that is canceled already is answered with 200 again.',
    params: ID,
    headers: X_SIM,
    answers: { 200: { description: 'The task', schema: ref('Task'), example: CANCELED } },
    errors: ['invalid_request', ...REFUSED, 'task_not_found', 'not_found', 'conflict'],
  },
}
