import { McpServer, ResourceTemplate, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { CONTROL_PATHS } from '../../control/paths.js'
import type { JsonObject } from '../../engine/json.js'
import { errorText } from '../errors.js'
import { pageNames, readPage } from './doc-pages.js'
import { checkNames, type InputSchema, type Session, type Tool } from './tools/tool.js'
import { TOOLS } from './tools/tools.js'

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

const INSTRUCTIONS = `tasksim imitates asynchronous generation services (images, videos, audio, LLMs behind tasks that are created and then polled, or reported by webhooks), so that you can test an app without the real service.
1. get_simulator returns the base URL. Set it in the app under test, with any API key.
2. Make the simulator fail: fail_requests, fail_tasks, break_webhooks, or set_scenario.
3. Run the app. Use control_clock or wait_for_tasks instead of waiting for long tasks.
4. Read list_requests, list_deliveries and get_findings. The findings say what the app does wrong and how to fix it.
5. write_test turns a request, a task or a finding into a Vitest file.`

/** A request to the control API in a text, with or without its method, such as `GET /_sim/findings`. */
const MENTION = /`?(?:(?<method>GET|POST|PUT|PATCH|DELETE) )?(?<path>\/_sim\/[\w/{}]*[\w}])`?/g

/**
 * Creates a function that replaces requests to the control API in a text with the names of tools, because a model has
 * tools only. Requests for which there is no tool stay.
 */
function namingTools(tools: readonly Tool[]): (text: string) => string {
  const names = new Map<string, string>()
  for (const { name, operations = [] } of tools)
    for (const id of operations) {
      const methodAndPath = CONTROL_PATHS[id]
      const path = methodAndPath.replace(/^\w+ /, '')
      if (!names.has(methodAndPath)) names.set(methodAndPath, name)
      if (methodAndPath.startsWith('GET ') && !names.has(path)) names.set(path, name)
    }
  return (text) =>
    text.replaceAll(MENTION, (mention, method: string | undefined, path: string) => {
      const name = names.get(method === undefined ? path : `${method} ${path}`)
      return name === undefined ? mention : `\`${name}\``
    })
}

const nameTools = namingTools(TOOLS)

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
      const { scenarioJsonSchema } = await import('../../scenario/schema/json-schema.js')
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

/** The most characters of a result: a model reads all of it. */
const MAX_TEXT = 30_000

/** The most characters of one value, such as a body. */
const MAX_VALUE = 8_000

/** The most items of a list that has no pages. */
const MAX_ITEMS = 100

/** The exact bytes of a body, which its text repeats. */
const OMITTED = 'body_base64'

/** Writes a result of a tool as a string that is not too long for a model. It says what it leaves out. */
function resultText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? 'Done.', shortened) ?? '')
  if (text.length <= MAX_TEXT) return text
  return `${text.slice(0, MAX_TEXT)}\n[Cut after ${MAX_TEXT} of ${text.length} characters. Ask for less: with a smaller \`limit\`, or for one item by its id.]`
}

function shortened(key: string, value: unknown): unknown {
  if (key === OMITTED) return undefined
  if (typeof value === 'string' && value.length > MAX_VALUE)
    return `${value.slice(0, MAX_VALUE)} [${value.length - MAX_VALUE} more characters]`
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return [...value.slice(0, MAX_ITEMS), `[${value.length - MAX_ITEMS} more items]`]
  return value
}
