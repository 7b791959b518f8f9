/** The baseline: a server on `node:http` that answers every request with the same bytes and headers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../worker.js'

const response = await fetch(process.argv[2] ?? '')
const body = new Uint8Array(await response.arrayBuffer())
const headers = Object.fromEntries(
  [...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)),
)

const server = createServer((_, reply) => {
  reply.writeHead(200, headers).end(body)
})
const port = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
})
answerParent({ port: () => port })
