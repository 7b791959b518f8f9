/** The baseline: a server on `node:http` that answers every request with the same bytes and headers. */
import { serveHere } from '../../support/receiver.js'
import { answerParent } from '../worker.js'

const response = await fetch(process.argv[2] ?? '')
const body = new Uint8Array(await response.arrayBuffer())
const headers = Object.fromEntries(
  [...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)),
)

const { port } = await serveHere((_, reply) => {
  reply.writeHead(200, headers).end(body)
})
answerParent({ port: () => port })
