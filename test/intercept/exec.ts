import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expectThat } from '../support/check.js'
import { launch } from '../support/processes.js'
import { CLI } from '../support/server.js'

/** What `tasksim exec --intercept` reports about a command. */
export interface Intercepted {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** The requests to the hosts of services, by origin. */
  readonly requests: Readonly<Record<string, number>>
  readonly byBaseUrl: number
  readonly connections: { readonly proxy: number; readonly preload: number }
  /** The refused connections, by host and port. */
  readonly refused: Readonly<Record<string, number>>
  /** The ids of all lines of the report. */
  readonly ids: readonly string[]
}

interface Settings {
  /** Further options of `exec`. */
  readonly options?: readonly string[]
  /** Further variables of the user. */
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a command under `tasksim exec --intercept`. */
export async function execIntercepted(
  command: readonly string[],
  { options = [], env = {} }: Settings = {},
): Promise<Intercepted> {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-test-'))
  const report = join(folder, 'report.json')
  const fixed = ['--fail-on', 'never', '--allow-no-requests', '--report', report]
  try {
    const args = [CLI, 'exec', '--intercept', 'instant', ...fixed, ...options, '--', ...command]
    const child = launch(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout as Readable),
      text(child.stderr as Readable),
      once(child, 'exit'),
    ])
    const { results } = JSON.parse(readFileSync(report, 'utf8')) as { results: readonly Line[] }
    const {
      requests = {},
      by_base_url: byBaseUrl = 0,
      connections = { proxy: 0, preload: 0 },
    } = results.find(({ id }) => id === 'intercepted') ?? {}
    const { hosts: refused = {} } = results.find(({ id }) => id === 'refused-hosts') ?? {}
    return {
      status,
      stdout,
      stderr,
      requests,
      byBaseUrl,
      connections,
      refused,
      ids: results.map(({ id }) => id),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A line of the report, with the fields of those about interception. */
interface Line {
  readonly id: string
  readonly requests?: Readonly<Record<string, number>>
  readonly by_base_url?: number
  readonly connections?: { readonly proxy: number; readonly preload: number }
  readonly hosts?: Readonly<Record<string, number>>
}

/** What each client made of its work: a program prints a line of JSON for each. */
export function outcomesIn({ stdout, stderr }: Intercepted): Readonly<Record<string, string>> {
  const lines = stdout.split('\n').filter((line) => line.startsWith('['))
  expectThat(lines.length > 0, `Expected outcomes of clients, got ${stdout}${stderr}`)
  return Object.fromEntries(lines.map((line) => JSON.parse(line)))
}
