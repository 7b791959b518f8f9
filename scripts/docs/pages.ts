import { controlDocument } from '../../src/openapi/control-document.js'
import { serviceDocument } from '../../src/openapi/service/document.js'
import { cliReference } from './cli-reference.js'
import { dialectReference } from './dialect-reference.js'
import { openApiReference } from './openapi-reference.js'
import { scenarioReference } from './scenario-reference.js'
import { toolsReference } from './tools-reference.js'

const ORIGIN = 'http://127.0.0.1:4010'

/** Returns the generated pages by their file names in docs/reference. */
export async function generatedPages(): Promise<Readonly<Record<string, string>>> {
  return {
    'scenario.md': scenarioReference(),
    'dialect.md': dialectReference(),
    'cli.md': await cliReference(),
    'api.md': openApiReference(serviceDocument(ORIGIN)),
    'control.md': openApiReference(controlDocument(ORIGIN)),
    'tools.md': toolsReference(),
  }
}
