/**
 * Runs tests on every supported Node and MSW version, in a fresh copy of the clone.
 * `npm run test:matrix` runs the tests that depend on Node or MSW; `npm run test:matrix -- whole` runs all tests.
 */
import type { Check } from '../support/check.js'
import { LARGE_CLIENTS } from '../support/installed-client.js'
import { harness, runChecks } from '../support/runner.js'
import { install, LONGEST_RUN, makeCopy, runTests } from './copy.js'
import { installNode } from './nodes.js'

/** Tests of what calls Node and MSW. */
const HOSTS = ['test/hosts', 'test/vitest']
/**
 * Also those that send requests through the hosts, those with the clients of the services, of files, and of starting and
 * stopping a process.
 */
const SENSITIVE = [
  ...HOSTS,
  'test/http',
  'test/media',
  'test/cli/serve',
  'test/dialects/wrappers',
  'test/dialects/elevenlabs.test.ts',
]
/** Tests of ledgers in SQLite, which Node 20 lacks. */
const ON_SQLITE = ['test/ledger', 'test/cli/ledger', 'test/cli/state']

/**
 * The newest versions of the clients of services. Most need Node 22, so package.json has older ones. The tests find out
 * which ones are installed; docs/wrappers.md and docs/dialects.md name those of package.json.
 */
const NEWEST_CLIENTS = [
  ...[
    '@fal-ai/client',
    '@google/genai',
    '@openrouter/sdk',
    '@runwayml/sdk',
    'assemblyai',
    'lumaai',
    'openai',
  ],
  ...['replicate', 'runpod-sdk', 'ai', '@ai-sdk/assemblyai', '@ai-sdk/fal', '@ai-sdk/google'],
  ...['@ai-sdk/google-vertex', '@ai-sdk/luma', '@ai-sdk/openai', '@ai-sdk/replicate'],
  ...['@openrouter/ai-sdk-provider', '@runpod/ai-sdk-provider', '@leonardo-ai/sdk', 'together-ai'],
  ...Object.keys(LARGE_CLIENTS),
].map((name) => `${name}@latest`)

/** The clients that are too large for package.json. */
const PINNED_CLIENTS = Object.entries(LARGE_CLIENTS).map(([name, version]) => `${name}@${version}`)

interface Cell {
  readonly node: string
  readonly msw: string
  /** Further packages in other versions than those of package.json. */
  readonly packages?: readonly string[]
  readonly files: readonly string[]
}

/**
 * Each Node and each MSW once, from the oldest to the newest supported version; what goes through the hosts on the oldest
 * and the newest, there with the newest clients and all dialects. MSW 3 and these clients need Node 22.
 */
const CELLS: readonly Cell[] = [
  { msw: '2.12.0', node: '20.19.0', packages: PINNED_CLIENTS, files: SENSITIVE },
  { msw: '2', node: '22', files: [...HOSTS, ...ON_SQLITE] },
  { msw: '3', node: '24', packages: NEWEST_CLIENTS, files: [...SENSITIVE, 'test/dialects', ...ON_SQLITE] },
]

await harness('test:matrix', 4 * LONGEST_RUN, async (words) => {
  makeCopy()
  return runChecks(
    CELLS.map((cell) => checkOf(cell, words.includes('whole'))),
    { longest: LONGEST_RUN },
  )
})

function checkOf({ node: range, msw, packages = [], files }: Cell, isWhole: boolean): Check {
  return {
    title: `the tests pass on Node ${range} with MSW ${msw}${packages === NEWEST_CLIENTS ? ' and the newest clients' : ''}`,
    async run(figure) {
      const node = installNode(range)
      const versions = install([`msw@${msw}`, ...packages])
      const { passed, failed } = runTests(node, isWhole ? [] : files)
      figure(`Node ${node.version}, ${versions.join(', ')}: ${passed} passed, ${failed.length} failed`)
      if (failed.length > 0) throw new Error(failed.join('\n'))
    },
  }
}
