import { buildDocument } from '../document.js'
import { refTo } from '../json-schema.js'
import type { OpenApiDocument } from '../openapi.js'
import { SERVICE_OPERATIONS, SERVICE_PATHS } from './operations.js'
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
