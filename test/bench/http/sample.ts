import { createBody, KEY } from '../traffic.js'

/** An answer as bytes on the wire, without the headers that Node adds. */
export interface SampleAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answers of a server to a create and to the poll after it. */
export interface Sample {
  readonly id: string
  readonly create: SampleAnswer
  readonly poll: SampleAnswer
}

const NODES_OWN = ['connection', 'content-length', 'date', 'keep-alive']

/** Creates a task on a server and polls it once. */
export async function sampleOf(port: number): Promise<Sample> {
  const url = `http://127.0.0.1:${port}/api/v1/tasks`
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const create = await take(fetch(url, { method: 'POST', headers, body: createBody(0) }))
  const { id } = JSON.parse(create.body) as { id: string }
  return { id, create, poll: await take(fetch(`${url}/${id}`, { headers })) }
}

/** Returns the number of bytes in each answer, to compare two servers. */
export function sizesOf({ create, poll }: Sample): string {
  return JSON.stringify([create, poll].map((answer) => JSON.stringify(answer).length))
}

async function take(pending: Promise<Response>): Promise<SampleAnswer> {
  const response = await pending
  const body = await response.text()
  if (!response.ok) throw new Error(`Expected a success, got ${response.status}: ${body}`)
  const headers = [...response.headers].filter(([name]) => !NODES_OWN.includes(name))
  return { headers: Object.fromEntries(headers), body }
}
