import { McpServer, ResourceTemplate, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../engine/json.js'
import { pageNames, readPage } from '../doc-pages.js'
import { errorText } from '../errors.js'
import { resultText } from './result.js'
import type { Session } from './session.js'
import { checkNames, type InputSchema, type Tool } from './tools/tool.js'
import { namingTools } from './tools/tool-names.js'
import { TOOLS } from './tools/tools.js'

const INSTRUCTIONS = `tasksim imitates asynchronous generation services (images, videos, audio, LLMs behind tasks that are created and then polled, or reported by webhooks), so that you can test an app without the real service.
1. get_simulator returns the base URL. Set it in the app under test, with any API key.
2. Make the simulator fail: fail_requests, fail_tasks, break_webhooks, or set_scenario.
3. Run the app. Use control_clock or wait_for_tasks instead of waiting for long tasks.
4. Read list_requests, list_deliveries and get_findings. The findings say what the app does wrong and how to fix it.
5. write_test turns a request, a task or a finding into a Vitest file.`

const nameTools = namingTools(TOOLS)

/** Creates a server of the Model Context Protocol that controls a simulator. */
export function createMcpServer(session: Session, version: string): McpServer {
  const server = new McpServer(
    { name: 'tasksim', title: 'tasksim', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: {} } },
  )
  for (const tool of TOOLS) register(server, tool, session)
  registerResources(server)
  return server
}

function register(server: McpServer, tool: Tool, session: Session): void {
  const { name, title, description, effect } = tool
  const annotations = {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'deletes',
    // The simulator is closed, but webhooks go to the app.
    openWorldHint: false,
  }
  const config = { title, description, annotations, inputSchema: schemaOf(tool.input) }
  server.registerTool(name, config, async (given, { mcpReq: { signal } }) => {
    try {
      checkNames(tool, given)
      return textResult(resultText(await tool.run(given, { session, signal })))
    } catch (error) {
      return { ...textResult(resultText(nameTools(errorText(error)))), isError: true }
    }
  })
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] }
}

/** A schema of the SDK that describes arguments, and leaves their check to the tool, whose errors name the remedy. */
function schemaOf(input: InputSchema): StandardSchemaWithJSON<JsonObject> {
  const schema = JSON.parse(nameTools(JSON.stringify(input))) as Record<string, unknown>
  return {
    '~standard': {
      version: 1,
      vendor: 'tasksim',
      validate: (value) => ({ value: value as JsonObject }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  }
}

function registerResources(server: McpServer): void {
  server.registerResource(
    'scenario-schema',
    'tasksim://schema/scenario',
    {
      title: 'The JSON Schema of scenario files',
      mimeType: 'application/schema+json',
    },
    async ({ href }) => {
      const { scenarioJsonSchema } = await import('../../scenario/language/schema/json-schema.js')
      return contents(href, 'application/schema+json', JSON.stringify(scenarioJsonSchema()))
    },
  )
  const list = async () => {
    const names = await pageNames()
    return {
      resources: names.map((name) => ({ uri: `tasksim://docs/${name}`, name, mimeType: 'text/markdown' })),
    }
  }
  server.registerResource(
    'docs',
    new ResourceTemplate('tasksim://docs/{+page}', { list }),
    { title: 'The documentation', mimeType: 'text/markdown' },
    async ({ href }, { page }) => contents(href, 'text/markdown', await readPage(String(page))),
  )
}

function contents(uri: string, mimeType: string, text: string) {
  return { contents: [{ uri, mimeType, text }] }
}
