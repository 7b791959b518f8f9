import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'
import { peakMemoryOf } from '../peak-memory.js'
import { Stalls } from '../stalls.js'

const MB = 1024 * 1024
/** In bytes. */
const PART = MB / 4
const FILE = 26 * MB
/** What the file may write to a ledger in SQLite, which writes to its log first, in MB. */
const MOST_WRITTEN = 60
/** The memory of the process, its copy of the file and garbage, in MB. */
const MOST_MEMORY = 400
const HEADERS = { 'x-goog-api-key': 'sk_parts', 'content-type': 'application/json' }

/** A file that arrives in parts, with a ledger if this Node has SQLite. */
export const parts: Check = {
  title: 'a part of an upload costs its own size, in memory and in a ledger',
  async run(figure) {
    const folder = mkdtempSync(join(tmpdir(), 'tasksim-parts-'))
    const ledger = isBuiltin('node:sqlite') ? ['--ledger', join(folder, 'state.db')] : []
    const server = await Server.start(['instant', ...ledger])
    const stalls = new Stalls(server)
    try {
      const before = writtenBy(server)
      await upload(server, FILE)
      const written = Math.round((writtenBy(server) - before) / MB)
      figure(
        `${written} MB  written for 26 MB in parts of 256 KB${ledger.length === 0 ? ', without SQLite' : ''}`,
      )
      await stalls.measure('26 MB in parts of 256 KB', () => upload(server, FILE), figure)
      const peak = Math.round(peakMemoryOf(server.pid))
      figure(`${peak} MB  peak memory`)
      stalls.check()
      expectThat(written <= MOST_WRITTEN, `Expected at most ${MOST_WRITTEN} MB, got ${written} MB`)
      expectThat(peak <= MOST_MEMORY, `Expected at most ${MOST_MEMORY} MB, got ${peak} MB`)
    } finally {
      await Promise.all([server.kill(), stalls.end()])
      rmSync(folder, { recursive: true })
    }
  },
}

/** Uploads a file in parts, and deletes it. */
async function upload(server: Server, size: number): Promise<void> {
  const origin = `http://127.0.0.1:${server.port}`
  const send = async (url: string, command: string, offset: number, body: Uint8Array<ArrayBuffer>) => {
    const headers = { ...HEADERS, 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) }
    const answer = await fetch(url, { method: 'POST', headers, body })
    expectThat(answer.status === 200, `Expected 200, got ${answer.status} ${await answer.clone().text()}`)
    return answer
  }
  const begun = await send(`${origin}/google/upload/v1beta/files`, 'start', 0, new TextEncoder().encode('{}'))
  const url = begun.headers.get('x-goog-upload-url') ?? ''
  await begun.arrayBuffer()
  for (let offset = 0; offset < size; offset += PART) {
    const part = new Uint8Array(Math.min(PART, size - offset)).fill(offset)
    const isLast = offset + PART >= size
    const answer = await send(url, isLast ? 'upload, finalize' : 'upload', offset, part)
    const text = await answer.text()
    if (!isLast) continue
    const { name } = JSON.parse(text).file
    await (
      await fetch(`${origin}/google/v1beta/${name}`, { method: 'DELETE', headers: HEADERS })
    ).arrayBuffer()
  }
}

/** The bytes that a process has written to files and connections; 0 if the system does not report them. */
function writtenBy({ pid }: Server): number {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}
