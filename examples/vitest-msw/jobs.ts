// The code under test: an app that starts jobs, and learns their results from webhooks.
import { verifySignature } from 'tasksim'

const BASE = 'https://api.example.com/api/v1'
const HEADERS = { Authorization: 'Bearer sk_live_local', 'Content-Type': 'application/json' }
export const HOOK = 'https://app.example.com/hooks'

/** The files of each job that has ended. */
export const files = new Map<string, Blob | undefined>()

export async function start(job: string, prompt: string): Promise<void> {
  const order = { model: 'acme/image-1', input: { prompt }, webhook_url: `${HOOK}?job=${job}` }
  const response = await fetch(`${BASE}/tasks`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(order),
  })
  if (!response.ok) throw new Error(`${job}: ${response.status}`)
}

export async function receive(request: Request): Promise<Response> {
  const raw = new Uint8Array(await request.arrayBuffer())
  const signature = request.headers.get('x-service-signature')
  if (!verifySignature(raw, signature, 'whsec_local_signing_secret'))
    return new Response(null, { status: 401 })
  const job = new URL(request.url).searchParams.get('job') ?? ''
  const { task } = JSON.parse(new TextDecoder().decode(raw))
  // In production, put this work into a queue, and answer at once.
  files.set(job, task.status === 'succeeded' ? await (await fetch(task.output.images[0])).blob() : undefined)
  return new Response(null, { status: 204 })
}
