import { once } from 'node:events'
import { McpServer, ResourceTemplate, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { callTo } from '../../client/connect.js'
import { CONTROL_PATHS } from '../../control/paths.js'
import type { JsonObject } from '../../engine/json.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { listen, type RunningServer } from '../../hosts/express/listen.js'
import { callIn } from '../../hosts/in-process.js'
import { pageNames, readPage } from '../doc-pages.js'
import { errorText } from '../errors.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import { type AccessArguments, accessOf } from '../options/access-options.js'
import { checkSimulatorOptions, type SimulatorArguments } from '../options/simulator-options.js'
import { exitSoon, stopSignal } from '../signals.js'
import { VERSION } from '../version.js'
import type { NewSimulator, Session } from './session.js'
import { checkNames, type InputSchema, type Tool } from './tools/tool.js'
import { TOOLS } from './tools/tools.js'
import { openHttp } from './transport/http.js'

/** The arguments of `tasksim mcp`. */
export interface McpArguments extends OwnArguments {
  http: number | undefined
  server: string | undefined
  'control-token': string | undefined
}

/** Serves the tools until the assistant or a signal ends it. Only the protocol may write to stdout. */
export async function runMcp(args: McpArguments): Promise<void> {
  const stopped = stopSignal()
  const session =
    args.server === undefined
      ? await openOwnSession(args)
      : await openRemoteSession(args.server, args['control-token'])
  const create = () => createMcpServer(session, VERSION)
  try {
    if (args.http === undefined) {
      const { ended, close } = openStdio(create)
      report(`The simulator is at ${session.origin}/api/v1. The tools are on stdin and stdout.`)
      await Promise.race([stopped, ended])
      await close()
    } else {
      const { url, close } = await openHttp(create, args.http)
      report(`The simulator is at ${session.origin}/api/v1. The tools are at ${url}.`)
      await stopped
      await close()
    }
  } finally {
    await session.close()
    // A module of the user may keep the process alive.
    exitSoon()
  }
}

function report(line: string): void {
  process.stderr.write(`tasksim: ${line}\n`)
}

/** The arguments of a simulator in this process. */
interface OwnArguments extends SimulatorArguments, AccessArguments {
  port: number
}

/**
 * Starts a simulator in this process, and serves it on this machine.
 * @throws UsageError if a setting is unusable; ScenarioError with every mistake in the scenario
 */
export async function openOwnSession(args: OwnArguments): Promise<Session> {
  let current = await serve(await load(args), args, args.port)
  const { origin } = new URL(current.server.baseUrl)
  let last: Promise<unknown> = Promise.resolve()
  const cases = new Set<string>()
  return {
    call: (...request) => callIn(current.loaded.sim, origin)(...request),
    origin,
    cases,
    restart(settings) {
      const restarted = last.then(() => restart(settings))
      last = restarted.catch(() => {})
      return restarted
    },
    async close() {
      await last
      await current.server.close()
      await end(current.loaded)
    },
  }

  async function restart(settings: NewSimulator): Promise<void> {
    const changed: OwnArguments = { ...args, ...settings }
    checkSimulatorOptions(changed)
    const loaded = await load(changed)
    const previous = current
    const port = Number(new URL(origin).port)
    // Both need the same port.
    await previous.server.close()
    try {
      current = await serve(loaded, args, port)
    } catch (error) {
      await end(loaded)
      current = await serve(previous.loaded, args, port)
      throw error
    }
    cases.clear()
    await end(previous.loaded)
  }
}

/**
 * Opens a session with a server that runs elsewhere.
 * @throws UsageError if the server cannot be reached; ControlError if it rejects the token
 */
export async function openRemoteSession(url: string, token: string | undefined): Promise<Session> {
  const call = callTo(url, token === undefined ? {} : { token })
  await call('GET', '/state')
  const { origin } = new URL(httpUrl(url) ?? url)
  return { call, origin, cases: new Set(), async close() {} }
}

interface Served {
  readonly loaded: LoadedSimulator
  readonly server: RunningServer
}

async function load(args: OwnArguments): Promise<LoadedSimulator> {
  const loaded = await loadSimulator(args)
  loaded.sim.on('error', (error) => process.stderr.write(`tasksim: ${errorText(error)}\n`))
  loaded.logHandlerErrors()
  return loaded
}

async function serve(loaded: LoadedSimulator, args: OwnArguments, port: number): Promise<Served> {
  const { sim, overrides } = loaded
  const server = await listen(sim, { port, ...accessOf(args), ...(overrides && { overrides }) })
  return { loaded, server }
}

async function end({ sim, telemetry }: LoadedSimulator): Promise<void> {
  sim.close()
  await telemetry?.shutdown()
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

/** Writes a result of a tool as a text that is not too long for a model. It says what it leaves out. */
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

/**
 * Serves the protocol on stdin and stdout.
 * @param create creates a server for the connection
 * @returns closes the connection; `ended` resolves when the client has closed stdin
 */
function openStdio(create: () => McpServer): {
  readonly ended: Promise<void>
  close(): Promise<void>
} {
  // Listen first: stdin may end at once.
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]).then(() => {})
  const handle = serveStdio(create, {
    onerror: ({ message }) => process.stderr.write(`tasksim: ${message}\n`),
  })
  return { ended, close: () => handle.close() }
}
