/**
 * The baseline: the shortest server on `node:http` that sends the same bytes. It reads only the id of a task, and
 * neither signs, draws, plans nor logs.
 */
import type { ServerResponse } from 'node:http'
import { serveHere } from '../../support/receiver.js'
import { answerParent } from '../worker.js'
import type { Sample, SampleAnswer } from './sample.js'

const { id: sampleId, create, poll } = JSON.parse(process.argv[2] ?? '') as Sample
const createParts = create.body.split(sampleId)
const pollParts = poll.body.split(sampleId)
const answers = new Map<string, string>()

const { port } = await serveHere((request, response) => {
  if (request.method !== 'POST') {
    const { url = '' } = request
    return send(response, poll, answers.get(url.slice(url.lastIndexOf('/') + 1)) ?? '')
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    const id = `task_${String(answers.size).padStart(24, '0')}`
    answers.set(id, pollParts.join(id))
    send(response, create, createParts.join(id))
  })
})

function send(response: ServerResponse, { headers }: SampleAnswer, body: string): void {
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

answerParent({ port: () => port })
