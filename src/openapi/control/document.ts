import type { Route } from '../../http/operation.js'
import type { OpenApiDocument } from '../document-shape.js'
import { ERROR_SCHEMAS } from '../errors.js'
import { pathsOf, places } from '../paths.js'
import { CONTROL_OPERATIONS } from './descriptions.js'
import { JOURNAL_SCHEMAS } from './journal-schemas.js'
import { CONTROL_SCHEMAS } from './schemas.js'

const DESCRIPTION = `What turns the simulator itself, and is no part of the service that it stands in for.

Without more, an operation is about the default sandbox. Another one is named in the path, as in
\`/_sim/sandboxes/sb_1/clock\` for \`/_sim/clock\`, or by the header \`X-Sim-Sandbox: sb_1\`.

On this machine it needs no authorization. Where the server can be reached from elsewhere, every request has to show
the token that the server printed when it started.`

const TAGS = [
  { name: 'Simulator', description: 'The whole of it' },
  { name: 'Clock', description: 'What time it is' },
  { name: 'Scenario', description: 'How it behaves' },
  { name: 'Tasks', description: 'All of them, and one' },
  { name: 'Webhooks', description: 'Receivers and deliveries' },
  { name: 'Record', description: 'What happened, and what it shows' },
  { name: 'Sandboxes', description: 'Isolated simulators in one server' },
  { name: 'Documents', description: 'What describes all of this' },
]

/**
 * The OpenAPI document of the control API.
 * @param origin where it is served: scheme, host and mount path
 */
export function controlDocument(routes: readonly Route[], origin: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: { title: 'tasksim control API', version: '1', description: DESCRIPTION },
    servers: [{ url: origin }],
    security: [{}, { token: [] }, { tokenInQuery: [] }],
    tags: TAGS,
    paths: pathsOf(places(routes, CONTROL_OPERATIONS)),
    components: {
      schemas: { ...CONTROL_SCHEMAS, ...JOURNAL_SCHEMAS, ...ERROR_SCHEMAS },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of `--control-token`' },
        tokenInQuery: { type: 'apiKey', in: 'query', name: 'token', description: 'The same, for links' },
      },
    },
  }
}
