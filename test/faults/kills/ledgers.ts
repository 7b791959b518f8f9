import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installNode } from '../../matrix/nodes.js'
import { eventually } from '../../support/check.js'
import { CLI, Server } from '../../support/server.js'
import { RedisServer } from '../redis/redis-server.js'

/** A place for the state of a server. */
interface OpenedSetup {
  /** The path of a Node that can use the ledger. */
  readonly node: string
  /** The address of the ledger. */
  readonly url: string
  /** An empty folder. */
  readonly folder: string
  close(): Promise<void>
}

/** A type of ledger. */
export interface LedgerSetup {
  readonly name: string
  open(): Promise<OpenedSetup>
}

export const SQLITE: LedgerSetup = {
  name: 'SQLite',
  async open() {
    const folder = newFolder()
    const close = async () => rmSync(folder, { recursive: true })
    return { node: nodeWithSqlite(), url: join(folder, 'state.db'), folder, close }
  },
}

export const REDIS: LedgerSetup = {
  name: 'Redis',
  async open() {
    const folder = newFolder()
    const redis = await RedisServer.start('--appendfsync', 'everysec')
    return {
      node: process.execPath,
      url: redis.url,
      folder,
      async close() {
        await redis.end()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

/** The state in a ledger, as JSON Lines. */
export function exportState(node: string, url: string): string {
  const args = [CLI, 'export', '--ledger', url]
  return execFileSync(node, args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
}

/** How a leader starts. */
interface LeaderOptions {
  /** The port; by default, the server picks one. */
  readonly port?: number
  /** Options of Node. */
  readonly nodeOptions?: readonly string[]
  /** Further environment variables. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a server that leads its ledger. @param args the arguments of tasksim */
export async function startLeader(
  node: string,
  args: readonly string[],
  { port = 0, nodeOptions = [], env = {} }: LeaderOptions = {},
): Promise<Server> {
  const command = [node, ...nodeOptions, CLI] as const
  const server = await Server.start(args, { command, port, env: { ...process.env, ...env } })
  await isLeading(server)
  return server
}

/** Waits until a server leads its ledger: the lease of a killed one may not have ended. */
export function isLeading(server: Server): Promise<void> {
  return eventually('the server leads its ledger', () => server.isReady(), 30_000)
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tasksim-kills-'))
}

/** The first Node with `node:sqlite` that needs no flag. */
const WITH_SQLITE = [22, 13] as const
let installed: string | undefined

function nodeWithSqlite(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > WITH_SQLITE[0] || (major === WITH_SQLITE[0] && minor >= WITH_SQLITE[1])) return process.execPath
  installed ??= join(installNode(String(WITH_SQLITE[0])).folder, 'node')
  return installed
}
