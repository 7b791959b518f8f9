import { setTimeout as wait } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import { cpuTimeOf } from '../../bench/cpu-time.js'
import { type Check, expectThat } from '../../support/check.js'
import { type LocalServer, serveHere } from '../../support/receiver.js'
import { Server } from '../../support/server.js'
import { peakMemoryOf } from '../peak-memory.js'

const MEGABYTE = Buffer.alloc(2 ** 20)
const { constants } = zlib

/** The unpacked size for each encoding in megabytes, as much as compresses within about a second. */
const BOMBS: Readonly<Record<string, { megabytes: number; encoder: (() => zlib.Gzip) | undefined }>> = {
  br: {
    megabytes: 2_048,
    encoder: () => zlib.createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  gzip: { megabytes: 512, encoder: () => zlib.createGzip({ level: 1 }) },
  deflate: { megabytes: 512, encoder: () => zlib.createDeflate({ level: 1 }) },
  // Available since Node 22.15.
  zstd: { megabytes: 2_048, encoder: (zlib as { createZstdCompress?: () => zlib.Gzip }).createZstdCompress },
}

/** In milliseconds of CPU time and in megabytes, for one delivery and for forty. */
const LIMITS = { 1: { cpu: 500, memory: 100 }, 40: { cpu: 3_000, memory: 200 } } as const

/** A receiver answers with a few kilobytes that unpack to gigabytes. */
export const compressionBomb: Check = {
  title: 'the compression bomb of a receiver costs no more than the 4 KB that are kept of it',
  async run(figure) {
    const bombs = await packedBombs()
    const receiver = await serveHere(({ url = '/' }, response) => {
      const encoding = url.slice(1)
      response.writeHead(200, { 'content-encoding': encoding }).end(bombs.get(encoding))
    })
    try {
      for (const [encoding, bomb] of bombs) {
        const packed = `${encoding}, ${bomb.length} bytes for ${BOMBS[encoding]?.megabytes} MB`
        for (const count of [1, 40] as const) {
          const { cpu, memory } = await costOf(count, `${receiver.origin}/${encoding}`)
          figure(`${packed}, ${count} deliveries: ${cpu} ms of CPU, ${memory.toFixed(0)} MB more at the peak`)
          expectThat(cpu < LIMITS[count].cpu, `Expected less than ${LIMITS[count].cpu} ms of CPU`)
          expectThat(memory < LIMITS[count].memory, `Expected less than ${LIMITS[count].memory} MB`)
        }
      }
    } finally {
      receiver.close()
    }
  },
}

async function packedBombs(): Promise<Map<string, Buffer>> {
  const bombs = new Map<string, Buffer>()
  for (const [name, { megabytes, encoder }] of Object.entries(BOMBS)) {
    if (encoder !== undefined) bombs.set(name, await packed(encoder(), megabytes))
  }
  return bombs
}

async function packed(encoder: zlib.Gzip, megabytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  encoder.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = new Promise((resolve) => encoder.on('end', resolve))
  for (let count = 0; count < megabytes; count++) {
    if (!encoder.write(MEGABYTE)) await new Promise((resolve) => encoder.once('drain', resolve))
  }
  encoder.end()
  await ended
  return Buffer.concat(pieces)
}

async function costOf(count: number, url: LocalServer['origin']): Promise<{ cpu: number; memory: number }> {
  const server = await Server.start()
  try {
    // The first delivery loads modules on first use.
    await deliver(server, 1, 'http://127.0.0.1:9/')
    const before = { cpu: cpuTimeOf(server.pid), memory: peakMemoryOf(server.pid) }
    await deliver(server, count, url)
    await quiet(server.pid)
    return {
      cpu: cpuTimeOf(server.pid) - before.cpu,
      memory: peakMemoryOf(server.pid) - before.memory,
    }
  } finally {
    await server.kill()
  }
}

async function deliver({ port }: Server, count: number, url: string): Promise<void> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  }
  const trigger = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/_sim/webhooks/trigger`, init)
    expectThat(response.status === 200, `Expected 200 from the control API, got ${response.status}`)
    await response.arrayBuffer()
  }
  await Promise.all(Array.from({ length: count }, trigger))
}

/** Resolves once a process has used no CPU for a while, after its background work has ended. */
async function quiet(pid: number): Promise<void> {
  for (let last = -1, idle = 0; idle < 3; ) {
    await wait(100)
    const used = cpuTimeOf(pid)
    idle = used - last <= 10 ? idle + 1 : 0
    last = used
  }
}
