import { KEY } from '../traffic.js'

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

/** Creates a task on a server with the scenario `instant`, and returns the path and query of its only file. */
export async function outputPath(port: number, model: string, input: object): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/v1/tasks`
  const body = JSON.stringify({ model, input })
  const { id } = await json(fetch(url, { method: 'POST', headers: HEADERS, body }))
  const { output } = await json(fetch(`${url}/${id}`, { headers: HEADERS }))
  const { pathname, search } = new URL(String(Object.values(output).flat()[0]))
  return pathname + search
}

// biome-ignore lint/suspicious/noExplicitAny: a missing field fails the benchmark
async function json(answer: Promise<Response>): Promise<any> {
  return (await answer).json()
}
