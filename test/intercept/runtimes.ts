import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installNode } from '../matrix/nodes.js'
import { run, WORKSHOP } from '../package/workshop.js'

/** The commands that run the clients. */
export interface Runtimes {
  /** The paths of each Node, by its version. */
  readonly nodes: Readonly<Record<string, string>>
  readonly bun: string
  readonly deno: string
  readonly python: string
  /** The compiled client. */
  readonly go: string
  /** The folder of the compiled client. */
  readonly java: string
  /** The script of the HTTP clients of Node, beside their packages. */
  readonly client: string
}

/** The variable with the runtimes that another process has installed. */
export const INSTALLED = 'TASKSIM_TEST_RUNTIMES'

/** The runtimes that another process has installed, if this process is part of its run. */
export function installedBefore(): Runtimes | undefined {
  const text = process.env[INSTALLED]
  return text === undefined ? undefined : JSON.parse(text)
}

/** The path of a file in the folder of the clients. */
export function clientFile(name: string): string {
  return fileURLToPath(new URL(`clients/${name}`, import.meta.url))
}

const PACKAGES = ['axios@1', 'got@15', 'node-fetch@3', 'undici@7', 'bun@1', 'deno@2']

/** Installs what is not part of the system, and compiles the clients of Go and Java. */
export function install(): Runtimes {
  const home = join(WORKSHOP, 'clients')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  run(home, 'npm', 'install', '--ignore-scripts', '--no-fund', '--no-audit', ...PACKAGES)
  const client = join(home, 'client.mjs')
  copyFileSync(clientFile('client.mjs'), client)
  const nodes = ['22', '24'].map((range) => join(installNode(range).folder, 'node'))
  const go = join(home, 'client-of-go')
  run(home, 'go', 'build', '-o', go, clientFile('client.go'))
  run(home, 'javac', '-d', home, clientFile('Client.java'))
  return {
    nodes: Object.fromEntries([process.execPath, ...nodes].map((path) => [versionOf(path), path])),
    bun: join(home, `node_modules/@oven/${BUN}/bin/bun`),
    deno: join(home, `node_modules/@deno/${DENO}/deno`),
    python: pythonWithClients(),
    go,
    java: home,
    client,
  }
}

/** The packages with the binaries. */
const BUN = `bun-linux-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
const DENO = `linux-${process.arch}-glibc`

function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
}

/** The first Python that has the clients: that of the system has those of its packages. */
function pythonWithClients(): string {
  const has = (python: string) => spawnSync(python, ['-c', 'import requests, httpx, aiohttp']).status === 0
  const found = ['python3', '/usr/bin/python3'].find(has)
  if (found === undefined)
    throw new Error(
      'Failed to find the clients of Python. Install them: apt-get install -y python3-requests python3-httpx python3-aiohttp',
    )
  return found
}
