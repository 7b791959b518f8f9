import type { Check } from '../support/check.js'
import { execIntercepted } from './exec.js'

const REQUESTS = 1_000

/** Polls one generation at the address of tasksim and at that of the service, in turns, and prints the milliseconds. */
const SCRIPT = `
import { request, Agent } from 'node:https'
import * as http from 'node:http'
const headers = { authorization: 'Bearer ' + process.env.LUMAAI_API_KEY, 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'photon-1', prompt: 'a fox' })
const generations = '/dream-machine/v1/generations/'
const made = await fetch('https://api.lumalabs.ai' + generations + 'image', { method: 'POST', headers, body })
const { id } = await made.json()
const origin = new URL(process.env.TASKSIM_URL).origin
const ways = {
  plain: [http.request, origin + '/luma' + generations + id, new http.Agent({ keepAlive: true, maxSockets: 1 })],
  intercepted: [request, 'https://api.lumalabs.ai' + generations + id, new Agent({ keepAlive: true, maxSockets: 1 })],
}
const poll = ([send, url, agent]) =>
  new Promise((resolve, reject) =>
    send(url, { agent, headers }, (response) => response.resume().on('end', resolve)).on('error', reject).end())
const took = { plain: 0, intercepted: 0 }
for (let round = 0; round < 10; round++)
  for (const [name, way] of Object.entries(ways)) {
    const begin = performance.now()
    for (let count = 0; count < ${REQUESTS / 10}; count++) await poll(way)
    took[name] += performance.now() - begin
  }
console.log(JSON.stringify(took))
process.exit()
`

/** Prints what a request costs; a limit would fail on a busy machine. */
export const costCheck: Check = {
  title: 'a poll costs about as much as one without TLS',
  async run(figure) {
    const { stdout, stderr } = await execIntercepted([process.execPath, '--input-type=module', '-e', SCRIPT])
    const { plain, intercepted } = JSON.parse(stdout || `{}${stderr}`)
    const each = (took: number) => `${(took / REQUESTS).toFixed(2)} ms`
    figure(`plain HTTP ${each(plain)}, intercepted ${each(intercepted)} for each poll`)
  },
}
