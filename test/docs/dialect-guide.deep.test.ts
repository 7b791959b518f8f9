import { spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderWith, MAIN, start } from '../cli/run.js'
import { bash } from '../support/bash.js'
import { freePort } from '../support/processes.js'
import { readPage, type Snippet, snippetsOf } from './pages.js'

const PAGE = 'docs/dialect-files.md'
const blocks = snippetsOf(PAGE, readPage(PAGE)).filter(({ marker }) => marker?.name === 'guide')

/** A reader who follows the guide: a folder, a server, a receiver, and a shell that keeps its variables. */
class Reader {
  readonly folder = folderWith()
  readonly #receiverPort: number
  readonly #path: string
  #server = '4010'
  #exports = ''
  #received = ''

  constructor(receiverPort: number) {
    this.#receiverPort = receiverPort
    const bin = folderWith({ npx: `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n` })
    chmodSync(join(bin, 'npx'), 0o755)
    this.#path = `${bin}:${process.env['PATH']}`
  }

  /** The text of a block with the addresses of this test. */
  here(text: string): string {
    return text.replaceAll('4010', this.#server).replaceAll('4020', String(this.#receiverPort))
  }

  async startServer(text: string): Promise<void> {
    const [, , ...args] = text.trim().split(' ')
    const [, port = ''] = await start(this.folder, [...args, '--port', '0']).printed(/:(\d+)\/stardust\/v1\n/)
    this.#server = port
  }

  async startReceiver(text: string): Promise<void> {
    const child = spawn('bash', ['--norc', '-c', this.here(text)], { cwd: this.folder, detached: true })
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk) => {
        this.#received += chunk
        if (this.#received.includes('ready\n')) resolve()
      }),
    )
  }

  get received(): string {
    return this.#received.replace('ready\n', '')
  }

  /** Runs a block, and returns what it prints. */
  async run(text: string, fails: boolean): Promise<string> {
    const script = `${this.#exports}\n${this.here(text)}`
    this.#exports += text.match(/^export .*$/m)?.[0] ?? ''
    this.#exports = this.here(this.#exports)
    const options = { cwd: this.folder, timeout: 20_000, env: { ...process.env, PATH: this.#path } }
    const failed = (error: { code?: number; stdout?: string }) => ({ ...error, stdout: error.stdout ?? '' })
    const { stdout, ...end } = await bash(['-euc', script], options).catch(failed)
    expect('code' in end, `${text}\n${stdout}`).toBe(fails)
    return stdout
  }
}

test('a reader of the guide to dialect files sees what it shows', async () => {
  const reader = new Reader(await freePort())
  let printed = ''
  const steps: Record<string, (block: Snippet) => unknown> = {
    run: async ({ text }) => {
      printed = await reader.run(text, false)
    },
    fail: async ({ text }) => {
      printed = await reader.run(text, true)
    },
    server: ({ text }) => reader.startServer(text),
    receiver: ({ text }) => reader.startReceiver(text),
    output: ({ text, place }) => expect(printed.trim(), place).toBe(reader.here(text).trim()),
    received: ({ text, place }) => expect.poll(() => reader.received, { message: place }).toBe(text),
  }
  for (const block of blocks) await steps[block.marker?.what ?? '']?.(block)
  expect(blocks.length).toBeGreaterThan(10)
}, 60_000)
