import type { Route } from '../../http/operation.js'
import type { OpenApiDocument, PathShape } from '../document-shape.js'
import { ERROR_CONTENT, ERROR_SCHEMAS } from '../errors.js'
import { pathsOf, places } from '../paths.js'
import { ref } from '../schema.js'
import { FILE_OPERATIONS } from './file-operations.js'
import { TASK_OPERATIONS } from './operations.js'
import { SERVICE_SCHEMAS } from './schemas.js'

const DESCRIPTION = `One asynchronous task interface through which image, video, audio, tool and LLM models are invoked: create a
task, and poll it or wait for a webhook.

Paths begin with \`/api/v1\` or \`/v1\`, and \`/tasks\` may be written \`/task\` everywhere. Every answer has an
\`X-Request-Id\`. A scenario may make any request fail, or any answer differ from this document, which is what it is for.`

const TAGS = [
  { name: 'Tasks', description: 'Orders for a generation, and what became of them' },
  { name: 'Files', description: 'What was made, behind signed URLs that expire' },
  { name: 'Webhooks', description: 'What the service sends' },
]

/**
 * The OpenAPI document of the service that tasksim stands in for.
 * @param origin where it is served: scheme, host and mount path
 */
export function serviceDocument(routes: readonly Route[], origin: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: 'Asynchronous task API, as tasksim serves it', version: '1', description: DESCRIPTION },
    servers: [{ url: origin }],
    security: [{ key: [] }],
    tags: TAGS,
    paths: pathsOf([
      ...places(routes, TASK_OPERATIONS).map(withFaults),
      ...places(routes, FILE_OPERATIONS, { security: [] }),
    ]),
    webhooks: WEBHOOKS,
    components: {
      schemas: { ...SERVICE_SCHEMAS, ...ERROR_SCHEMAS },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'Any key, unless the scenario lists some' },
      },
    },
  }
}

function withFaults<Place extends ReturnType<typeof places>[number]>(place: Place): Place {
  const fault = { description: 'What a fault of the scenario answers with', content: ERROR_CONTENT }
  const { operation } = place
  return { ...place, operation: { ...operation, responses: { ...operation.responses, default: fault } } }
}

const WEBHOOKS: Readonly<Record<string, PathShape>> = {
  'task ended': {
    post: {
      operationId: 'webhooks.task',
      tags: ['Webhooks'],
      summary: 'Hear that a task has ended',
      description:
        'To the `webhook_url` of the task and to every registered receiver, at least once, in no order. The body is the same on every attempt.',
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
      requestBody: { required: true, content: { 'application/json': { schema: ref('WebhookEvent') } } },
      responses: {
        '2XX': { description: 'Within 15 seconds: it has arrived' },
        '410': { description: 'It is not wanted any more: no further attempts' },
        default: { description: 'It is sent again after 1, 5 and 25 seconds' },
      },
    },
  },
}
