import type { OperationDescription } from '../control/operation.js'
import { CONTROL_OPERATIONS } from '../control/operations.js'
import { CONTROL_PATHS, DOCUMENT_PATHS } from '../control/paths.js'
import { CONTROL_COMPONENTS } from '../control/schema/components.js'
import { buildDocument } from './build-document.js'
import type { OpenApiDocument } from './openapi.js'

const DESCRIPTION = `Controls the simulator itself. It is not part of the service that tasksim simulates.

By default, an operation applies to the default sandbox. To address another sandbox, name it in the path, as in
\`/_sim/sandboxes/sb_1/clock\` for \`/_sim/clock\`, or in the header \`X-Sim-Sandbox: sb_1\`.

Requests from this machine need no authorization. If the server accepts connections from other machines, every request
needs the token that the server printed when it started.`

const TAGS = [
  { name: 'Simulator', description: 'The simulator as a whole' },
  { name: 'Clock', description: 'The current time' },
  { name: 'Scenario', description: 'How the service behaves' },
  { name: 'Tasks', description: 'The tasks of all API keys' },
  { name: 'Webhooks', description: 'Receivers and deliveries' },
  { name: 'Dialects', description: 'The wire formats of services' },
  { name: 'Record', description: 'The journal, the findings and the metrics' },
  { name: 'Exploration', description: 'What can go wrong at each request of a client' },
  { name: 'Sandboxes', description: 'Isolated simulators in one server' },
  { name: 'Documents', description: 'The description of both APIs' },
]

/** The operations that describe the APIs; `src/openapi/routes.ts` implements them. */
const DOCUMENT_OPERATIONS: Readonly<Record<keyof typeof DOCUMENT_PATHS, OperationDescription>> = {
  'sim.openapi.control': {
    tag: 'Documents',
    summary: 'Read this document',
    responses: { 200: { description: 'OpenAPI 3.1', json: 'Document' } },
  },
  'sim.openapi.service': {
    tag: 'Documents',
    summary: 'Read the document of the service',
    responses: { 200: { description: 'OpenAPI 3.1', json: 'Document' } },
  },
  'sim.openapi.dialect': {
    tag: 'Documents',
    summary: 'Read the document of a dialect',
    params: { dialect: 'The name of the dialect, such as `luma`' },
    responses: { 200: { description: 'OpenAPI 3.1', json: 'Document' } },
    errors: ['not_found'],
  },
  'sim.docs': {
    tag: 'Documents',
    summary: 'Read the documents of the service and of this API as a web page',
    responses: {
      200: {
        description: 'A page without scripts',
        content: { type: 'text/html', schema: { type: 'string' } },
      },
    },
  },
}

/**
 * The OpenAPI document of the control API.
 * @param origin the server: scheme, host and mount path
 */
export function controlDocument(origin: string): OpenApiDocument {
  return buildDocument({
    info: { title: 'tasksim control API', version: '1', description: DESCRIPTION },
    origin,
    security: [{}, { token: [] }, { tokenInQuery: [] }],
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'The token that `--control-token` sets' },
      tokenInQuery: { type: 'apiKey', in: 'query', name: 'token', description: 'The same token, for links' },
    },
    tags: TAGS,
    paths: {
      ...CONTROL_PATHS,
      ...Object.fromEntries(Object.entries(DOCUMENT_PATHS).map(([id, path]) => [id, `GET ${path}`])),
    },
    operations: { ...Object.fromEntries(CONTROL_OPERATIONS), ...DOCUMENT_OPERATIONS },
    schemas: CONTROL_COMPONENTS,
  })
}
