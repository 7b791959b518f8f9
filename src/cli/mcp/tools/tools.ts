import { segment } from '../../../client/call.js'
import { CLIENTS, clientCode } from '../../../control/code/clients.js'
import type { DialectShape, StateShape } from '../../../control/shapes.js'
import { UsageError } from '../../../engine/errors.js'
import { SHIPPED_NAMES } from '../../../scenario/shipped.js'
import { pageNames, readPage } from '../doc-pages.js'
import { CASE_TOOLS } from './case-tools.js'
import { CONTROL_TOOLS } from './control-tools.js'
import { inputOf, type NewSimulator, type Session, type Tool } from './tool.js'
import { waitForTasks } from './wait-for-tasks.js'

/** The paths of tests, by the argument that selects one. */
const PATHS = {
  request: (id: string) => `/journal/${segment(id)}/test`,
  task: (id: string) => `/tasks/${segment(id)}/test`,
  finding: (id: string) => `/findings/${segment(id)}/test`,
} as const

const writeTest: Tool = {
  name: 'write_test',
  title: 'Write a Vitest file that reproduces a case',
  effect: 'reads',
  operations: ['sim.journal.test', 'sim.tasks.test', 'sim.findings.test'],
  description:
    'Write a whole Vitest file that reproduces an answer, a task or a mistake in process, without a server. It needs the packages tasksim, msw and vitest. Give one of `request`, `task` and `finding`.',
  input: inputOf({
    request: { type: 'string', description: 'The id of a request, which gets the same answer in the test' },
    task: { type: 'string', description: 'The id of a task, which gets the same result in the test' },
    finding: {
      type: 'string',
      description: 'The id of a rule of get_findings: the test fails if the client makes this mistake',
      examples: ['polls-too-fast'],
    },
  }),
  run(given, { session }) {
    const [[what, id] = [], ...others] = Object.entries(given)
    if (what === undefined || others.length > 0)
      throw new UsageError(
        'Give one of `request`, `task` and `finding`, such as {"finding": "polls-too-fast"}.',
      )
    return session.call('GET', PATHS[what as keyof typeof PATHS](String(id)))
  },
}

/** The most characters of a page in one answer. */
const MAX_PART = 20_000

const readDocs: Tool = {
  name: 'read_docs',
  title: 'Read the documentation',
  effect: 'reads',
  description:
    'Read a page of the documentation of tasksim. Without a page, lists all pages. Useful ones: scenarios (the language of scenario files), faults (faults, rate limits, directives), webhooks, findings, testing, troubleshooting.',
  input: inputOf({
    page: { type: 'string', description: 'The name of the page', examples: ['faults'] },
    section: { type: 'string', description: 'Only the section with this heading' },
    offset: { type: 'integer', minimum: 0, description: 'The first character, to continue a long page' },
  }),
  async run({ page, section, offset = 0 }) {
    if (page === undefined) return { pages: await pageNames() }
    if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0)
      throw new UsageError(`\`offset\` must be a whole number from 0 up; got ${JSON.stringify(offset)}.`)
    const whole = await readPage(String(page))
    const text = section === undefined ? whole : sectionOf(whole, String(section))
    const end = offset + MAX_PART
    const part = text.slice(offset, end)
    return end < text.length ? `${part}\n\n[Continues: call read_docs with offset ${end}.]` : part
  },
}

/** The text from a heading to the next one of its level or above. @throws UsageError if there is no such heading */
function sectionOf(page: string, wanted: string): string {
  const headings = [...page.matchAll(/^(#+) (.*)$/gm)]
  const plain = (text: string) => text.replaceAll('`', '').trim().toLowerCase()
  const start = headings.findIndex(([, , title = '']) => plain(title) === plain(wanted))
  const found = headings[start]
  if (found === undefined) {
    const titles = headings.map(([, , title]) => title).join(', ')
    throw new UsageError(
      `The page has no section ${JSON.stringify(wanted.slice(0, 100))}. Its sections: ${titles}.`,
    )
  }
  const level = found[1]?.length ?? 0
  const next = headings.slice(start + 1).find(([, marks = '']) => marks.length <= level)
  return page.slice(found.index, next?.index)
}

const getSimulator: Tool = {
  name: 'get_simulator',
  title: 'Read the addresses and the state of the simulator',
  effect: 'reads',
  operations: ['sim.state', 'sim.dialects.list'],
  description:
    'Read the base URL to set in the app under test, an example of a create request, the addresses for the official clients of the imitated services, and the state: scenario, clock, and counts of tasks, requests and webhooks. Call it first.',
  input: inputOf({}),
  run: (_, { session }) => describeSimulator(session),
}

const startSimulator: Tool = {
  name: 'start_simulator',
  title: 'Start a new simulator',
  effect: 'deletes',
  description:
    'Replace the simulator with a new one at the same address, with another scenario, seed or clock. All tasks, requests and findings are lost. Settings that you omit are those of the command line. To keep the tasks, use set_scenario and control_clock instead.',
  input: inputOf({
    scenario: {
      type: 'string',
      description: `The path of a scenario file or a recording, or one of: ${SHIPPED_NAMES.join(', ')}`,
    },
    seed: { type: 'string', description: 'The seed of all random values; "random" picks one' },
    clock: {
      type: 'string',
      enum: ['real', 'manual'],
      description: 'The mode of the clock; a manual clock moves only when you advance it',
    },
    speed: { type: 'number', description: 'Simulated seconds per real second, for a real clock' },
  }),
  async run(given, { session }) {
    if (session.restart === undefined)
      throw new UsageError(
        'The simulator is a server that runs elsewhere (--server), so it cannot be started again. Use reset_simulator and set_scenario.',
      )
    await session.restart(readSettings(given))
    return describeSimulator(session)
  },
}

function readSettings({ scenario, seed, clock, speed }: Readonly<Record<string, unknown>>): NewSimulator {
  if (clock !== undefined && clock !== 'real' && clock !== 'manual')
    throw new UsageError(`\`clock\` must be real or manual; got ${JSON.stringify(clock)}.`)
  return {
    ...(scenario !== undefined && { scenario: String(scenario) }),
    ...(seed !== undefined && { seed: String(seed) }),
    ...(clock !== undefined && { clock }),
    ...(speed !== undefined && { speed: Number(speed) }),
  }
}

/** What an assistant needs to point the app to the simulator. */
async function describeSimulator({ call, origin }: Session): Promise<object> {
  const state = await call<StateShape>('GET', '/state')
  const { data } = await call<{ data: DialectShape[] }>('GET', '/dialects')
  const [main, ...others] = data
  const { scenario, seed, clock, tasks, requests, deliveries, spent_usd } = state
  return {
    base_url: `${origin}/api/v1`,
    dashboard: `${origin}/_sim/`,
    create_request: main?.example,
    webhook_secret: 'Run `npx tasksim secret` with the same scenario and options to print it.',
    services: others.map((dialect) => addressOf(dialect, origin)),
    state: { scenario, seed, clock, tasks, requests, deliveries, spent_usd },
  }
}

function addressOf({ name, example }: DialectShape, origin: string): object {
  const setup = CLIENTS[name]
  if (setup === undefined) return { dialect: name, create: `${example.method} ${example.url}` }
  const { package: client, path, urlVariable: variable } = setup
  const use = variable === undefined ? { code: clientCode(setup, origin, 'any-key')[1] } : { variable }
  return { dialect: name, base_url: origin + path, client, ...use }
}

/** All tools. An assistant sees the whole list, so a new tool must be worth its place. */
export const TOOLS: readonly Tool[] = [
  getSimulator,
  startSimulator,
  ...CASE_TOOLS,
  waitForTasks,
  ...CONTROL_TOOLS,
  writeTest,
  readDocs,
]
