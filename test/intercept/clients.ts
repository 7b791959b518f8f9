import { type Check, expectEqual } from '../support/check.js'
import { execIntercepted, outcomesIn } from './exec.js'
import { clientFile, type Runtimes } from './runtimes.js'

/** The clients of a runtime, and the command that runs those of its arguments. */
interface Clients {
  readonly title: string
  readonly command: readonly string[]
  readonly reach: readonly string[]
  /** Those that cannot reach tasksim; docs/other-languages.md says so. */
  readonly cannot?: readonly string[]
}

const OF_NODE = [
  'fetch',
  'https',
  'https with an agent of its own',
  'undici',
  'undici with a pool of its own',
  'axios',
  'got',
  'node-fetch',
]
const EVERYWHERE = ['fetch', 'https', 'undici', 'axios', 'got', 'node-fetch']
const OFFICIAL = [
  'replicate',
  '@fal-ai/client',
  'openai',
  '@google/genai',
  '@runwayml/sdk',
  'assemblyai',
  'lumaai',
  '@openrouter/sdk',
  'runpod-sdk',
]
const OF_PYTHON = [
  'urllib',
  'http.client',
  'requests',
  'requests without the environment',
  'httpx',
  'httpx, asynchronous',
  'aiohttp',
  'aiohttp with trust_env',
  'urllib3',
]

function clientsOf({ nodes, bun, deno, python, go, java, client }: Runtimes): readonly Clients[] {
  const official = clientFile('official.mjs')
  return [
    ...Object.entries(nodes).flatMap(([version, node]) => [
      {
        title: `HTTP clients of Node ${version}`,
        command: [node, client],
        reach: OF_NODE,
        cannot: ['http2'],
      },
      { title: `official clients in Node ${version}`, command: [node, official], reach: OFFICIAL },
    ]),
    { title: 'HTTP clients of Bun', command: [bun, client], reach: EVERYWHERE },
    { title: 'official clients in Bun', command: [bun, official], reach: OFFICIAL.slice(0, 4) },
    { title: 'HTTP clients of Deno', command: [deno, 'run', '-A', client], reach: EVERYWHERE },
    {
      title: 'official clients in Deno',
      command: [deno, 'run', '-A', official],
      reach: OFFICIAL.slice(0, 4),
    },
    { title: 'HTTP clients of Python', command: [python, clientFile('client.py')], reach: OF_PYTHON },
    { title: 'the client of Go', command: [go], reach: ['net/http'] },
    {
      title: 'HTTP clients of Java',
      command: ['java', '-cp', java, 'Client'],
      reach: ['HttpClient', 'HttpURLConnection'],
    },
    {
      title: 'HTTP clients of Ruby',
      command: ['ruby', clientFile('client.rb')],
      reach: ['net/http', 'open-uri'],
    },
    {
      title: 'HTTP clients of PHP',
      command: ['php', clientFile('client.php')],
      reach: ['curl'],
      cannot: ['streams'],
    },
    { title: 'curl and wget', command: ['sh', clientFile('client.sh')], reach: ['curl', 'wget'] },
  ]
}

/** Deno asks for its newest version. */
const QUIET = { DENO_NO_UPDATE_CHECK: '1' }

/** A check for each runtime: its clients create, poll and download, and call nothing else. */
export function clientChecks(runtimes: Runtimes): readonly Check[] {
  return clientsOf(runtimes).map(({ title, command, reach, cannot = [] }) => ({
    title: `${title} can reach tasksim without a change`,
    async run(figure) {
      const run = await execIntercepted([...command, ...reach, ...cannot], { env: QUIET })
      const outcomes = outcomesIn(run)
      expectEqual(
        'the outcomes',
        pick(outcomes, reach),
        Object.fromEntries(reach.map((name) => [name, 'ok'])),
      )
      for (const name of cannot)
        if (outcomes[name] === 'ok') throw new Error(`${name} works now: change docs/other-languages.md`)
      expectEqual('the refused hosts', run.refused, {})
      expectEqual('the requests by base URL', run.byBaseUrl, 0)
      const requests = Object.values(run.requests).reduce((sum, count) => sum + count, 0)
      const { proxy, preload } = run.connections
      figure(`${requests} requests, ${proxy} connections through the proxy, ${preload} through preloads`)
    },
  }))
}

function pick(outcomes: Readonly<Record<string, string>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, outcomes[name]]))
}
