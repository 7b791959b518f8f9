import { createHash } from 'node:crypto'
import { type Check, expectEqual, expectThat, wait } from '../check.js'
import { freePort } from '../free-port.js'
import type { LedgerSetup } from './ledgers.js'
import { exportState } from './ledgers.js'
import { Server } from './server.js'

const FILE = new Uint8Array(48 * 1024 * 1024).fill(120)
const SHA256 = createHash('sha256').update(FILE).digest('hex')
const HEADERS = { authorization: 'Bearer sk_large' }
const KILLS = 8
/** When the kills begin and end, in durations of an upload without a kill. */
const [EARLIEST, LATEST] = [0.4, 1.2]

/** Kills a server while it stores a large file in several commits. */
export function largeFileOf(setup: LedgerSetup): Check {
  return {
    title: `kill -9 while ${setup.name} stores a file of 48 MB leaves all of it, or nothing`,
    longest: 180_000,
    async run(figure) {
      const took = await durationOf(setup)
      let [complete, confirmed] = [0, 0]
      for (let kill = 0; kill < KILLS; kill++) {
        const { node, url, close } = await setup.open()
        try {
          const args = ['instant', '--ledger', url]
          const port = await freePort()
          const first = await Server.start({ node, args, port })
          const sent = upload(port).catch(() => undefined)
          await wait(took * (EARLIEST + ((LATEST - EARLIEST) * kill) / (KILLS - 1)))
          await first.kill()
          const isConfirmed = (await sent) !== undefined
          const second = await Server.start({ node, args, port })
          const files = await list(port)
          await second.stop()
          expectThat(!isConfirmed || files.length === 1, 'Expected the file that the server has confirmed')
          for (const { size, checksums } of files)
            expectEqual('the file', [size, checksums.sha256], [FILE.length, SHA256])
          const parts = exportState(node, url).match(/"kind":"upload part"/g) ?? []
          expectEqual('the parts', parts.length, files.length * 6)
          complete += files.length
          confirmed += isConfirmed ? 1 : 0
        } finally {
          await close()
        }
      }
      figure(
        `${KILLS} kills: ${complete} files are complete, ${confirmed} of them confirmed, the others are gone`,
      )
    },
  }
}

/** How long an upload takes without a kill, in milliseconds. */
async function durationOf(setup: LedgerSetup): Promise<number> {
  const { node, url, close } = await setup.open()
  try {
    const port = await freePort()
    const server = await Server.start({ node, args: ['instant', '--ledger', url], port })
    const begin = performance.now()
    await upload(port)
    const took = performance.now() - begin
    await server.kill()
    return took
  } finally {
    await close()
  }
}

async function upload(port: number): Promise<unknown> {
  const body = new FormData()
  body.set('content', new Blob([FILE]), 'f')
  const url = `http://127.0.0.1:${port}/replicate/v1/files`
  const response = await fetch(url, { method: 'POST', headers: HEADERS, body })
  expectEqual('the status', response.status, 201)
  return response.json()
}

interface ListedFile {
  readonly size: number
  readonly checksums: { readonly sha256: string }
}

async function list(port: number): Promise<readonly ListedFile[]> {
  const response = await fetch(`http://127.0.0.1:${port}/replicate/v1/files`, { headers: HEADERS })
  return (await response.json()).results
}
