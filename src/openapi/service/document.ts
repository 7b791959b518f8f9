import * as v from 'valibot'
import type { OperationDescription, ResponseDescription } from '../../control/operation.js'
import { entryNumber, limitUpTo, oneOf, optional } from '../../control/schema/parts.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { buildDocument } from '../build-document.js'
import { refTo } from '../json-schema.js'
import type { OpenApiDocument } from '../openapi.js'
import { SERVICE_COMPONENTS } from './schemas.js'

const DESCRIPTION = `One asynchronous task API for image, video, audio, tool, LLM and transcription models: create a task, then poll it or
wait for a webhook.

Paths begin with \`/api/v1\` or \`/v1\`, and \`/task\` works in place of \`/tasks\`. Every response has an
\`X-Request-Id\`. A scenario can make any request fail, and any response deviate from this document.`

const TAGS = [
  { name: 'Tasks', description: 'Generation tasks and their results' },
  { name: 'Files', description: 'Output files behind signed URLs that expire' },
  { name: 'Webhooks', description: 'Notifications from the service' },
]

const WEBHOOKS: OpenApiDocument['webhooks'] = {
  'task ended': {
    post: {
      operationId: 'webhooks.task',
      tags: ['Webhooks'],
      summary: 'Receive the end of a task',
      description:
        'Sent to the `webhook_url` of the task and to every registered receiver, at least once and in any order. Every attempt has the same body.',
      security: [],
      parameters: [
        {
          name: 'X-Service-Signature',
          in: 'header',
          required: true,
          description: 'The lower-case hex HMAC-SHA256 of the raw body, keyed with the whole signing secret',
          schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: refTo('WebhookEvent') } } },
      responses: {
        '2XX': { description: 'A response within 15 seconds: the webhook is delivered' },
        '410': { description: 'The receiver is gone: the service stops all attempts' },
        default: { description: 'The service retries after 1, 5 and 25 seconds' },
      },
    },
  },
}

/**
 * The OpenAPI document of the service that tasksim simulates.
 * @param origin the server: scheme, host and mount path
 */
export function serviceDocument(origin: string): OpenApiDocument {
  return buildDocument({
    info: { title: 'Asynchronous task API', version: '1', description: DESCRIPTION },
    origin,
    security: [{ key: [] }],
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'Any key, unless the scenario lists the valid ones',
      },
    },
    tags: TAGS,
    paths: SERVICE_PATHS,
    operations: SERVICE_OPERATIONS,
    webhooks: WEBHOOKS,
    schemas: SERVICE_COMPONENTS,
  })
}

/** The method and path of each operation, without aliases. */
const SERVICE_PATHS = {
  'tasks.create': 'POST /api/v1/tasks',
  'tasks.retrieve': 'GET /api/v1/tasks/{task_id}',
  'tasks.list': 'GET /api/v1/tasks',
  'tasks.cancel': 'POST /api/v1/tasks/{task_id}/cancel',
  'files.download': 'GET /files/{task_id}/{file}',
  'files.preflight': 'OPTIONS /files/{task_id}/{file}',
}

const TASK_OPERATION = {
  tag: 'Tasks',
  headers: {
    'X-Sim':
      'Overrides the scenario for this request, such as `outcome=failed error=content_policy`, or `fault=503`',
  },
  canFault: true,
}

const ID = { task_id: 'The id of the task' }
const REJECTED = ['unauthorized', 'rate_limited'] as const

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

const FILE_OPERATION = {
  tag: 'Files',
  params: { task_id: 'The id of the task', file: 'The index of the file and its extension, such as `0.png`' },
  isPublic: true,
}

const CACHE_HEADERS = {
  ETag: 'A strong validator: identical bytes have the same tag',
  'Last-Modified': 'When the task ended',
}

const file = (description: string, headers: ResponseDescription['headers'] = {}): ResponseDescription => ({
  description,
  content: { type: '*/*', schema: { description: 'The bytes' } },
  headers: { ...CACHE_HEADERS, 'Accept-Ranges': '`bytes`', ...headers },
})

/** The operations of the service. */
const SERVICE_OPERATIONS: Readonly<Record<keyof typeof SERVICE_PATHS, OperationDescription>> = {
  'tasks.create': {
    ...TASK_OPERATION,
    summary: 'Create a task',
    description:
      'Responds immediately; the task proceeds with the clock. A task is `queued` only if it exceeds the capacity of the scenario. Unknown fields are accepted.',
    body: {
      schema: SERVICE_COMPONENTS.NewTask,
      examples: {
        'an image': { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn', n: 2 } },
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
    responses: {
      200: {
        description: 'The task. The status is 201 or 202 if the scenario sets `api.create_status`',
        json: 'Task',
        example: CREATED,
      },
    },
    errors: [
      'invalid_json',
      'invalid_request',
      ...REJECTED,
      'insufficient_credits',
      'model_not_found',
      'payload_too_large',
      'unsupported_media_type',
      'unavailable',
    ],
  },
  'tasks.retrieve': {
    ...TASK_OPERATION,
    summary: 'Retrieve a task',
    description: 'Responds with the current task. Every response has new URLs in the output.',
    params: ID,
    responses: { 200: { description: 'The task', json: 'Task', example: SUCCEEDED } },
    errors: ['invalid_request', ...REJECTED, 'task_not_found'],
  },
  'tasks.list': {
    ...TASK_OPERATION,
    summary: 'List tasks',
    description: 'Responds with a page of the tasks of this API key, newest first.',
    query: v.strictObject({
      status: optional(oneOf(STATUSES), 'Only tasks with this status'),
      model: optional(v.string(), 'Only tasks of this model'),
      limit: optional(limitUpTo(100), 'The maximum number of tasks'),
      after: optional(v.string(), 'The `next_cursor` of the previous page, or the id of a task'),
    }),
    responses: {
      200: {
        description: 'A page of tasks',
        json: 'TaskPage',
        example: { data: [SUCCEEDED], has_more: false, next_cursor: null },
      },
    },
    errors: ['invalid_request', ...REJECTED],
  },
  'tasks.cancel': {
    ...TASK_OPERATION,
    summary: 'Cancel a task',
    description:
      'An extension of the service. If the scenario sets `api.cancel: false`, the response is 404. If the task is already canceled, the response is 200 again.',
    params: ID,
    responses: { 200: { description: 'The task', json: 'Task', example: CANCELED } },
    errors: ['invalid_request', ...REJECTED, 'task_not_found', 'not_found', 'conflict'],
  },
  'files.download': {
    ...FILE_OPERATION,
    summary: 'Download an output file',
    description:
      'The task contains the signed URL, which expires and needs no API key. The first request renders the file. In a sandbox, the path has the id of the sandbox after `/files`. The URL of a server with a partition ends with `&partition=NAME`, for load balancers.',
    query: v.strictObject({
      expires: optional(entryNumber, 'When the URL expires, in epoch seconds'),
      signature: optional(v.string(), 'The signature of the URL'),
    }),
    headers: {
      Range: 'One range of bytes, such as `bytes=0-1023`',
      'If-None-Match': 'The ETag of a cached copy',
      'If-Modified-Since': 'The date of a cached copy',
      'If-Range': 'The ETag or date of an incomplete copy',
    },
    responses: {
      200: file('The file'),
      206: file('The requested range', { 'Content-Range': 'The range, and the size of the file' }),
      304: { description: 'The cached copy is still valid', headers: CACHE_HEADERS },
    },
    errors: ['forbidden', 'not_found', 'output_expired', 'range_not_satisfiable'],
  },
  'files.preflight': {
    ...FILE_OPERATION,
    summary: 'Check whether a page may fetch a file',
    description:
      'Browsers send this request before a page of another origin fetches a file. Every page may fetch files.',
    responses: {
      204: { description: 'The page may fetch the file', headers: { 'Access-Control-Allow-Origin': '`*`' } },
    },
  },
}
