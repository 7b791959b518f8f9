import type { Control } from '../../src/client/index.js'
import { drive } from '../bench/http/load.js'
import { KEY } from '../bench/traffic.js'
import type { Clients } from './clients.js'
import { drained } from './settle.js'

const WARM_UP = 3_000
const SPAN = 3_000
const LONGEST_DRAIN = 30

/** Finds the highest request rate that the server can sustain, with webhooks keeping up. */
export async function highestRate(port: number, control: Control, clients: Clients): Promise<number> {
  await flood(port, control, clients, WARM_UP)
  const begin = performance.now()
  const answered = await flood(port, control, clients, SPAN)
  return (answered * 1_000) / (performance.now() - begin)
}

async function flood(port: number, control: Control, { created }: Clients, span: number): Promise<number> {
  const ids = created.get(KEY) ?? new Set()
  created.set(KEY, ids)
  const answered = await drive(port, span, { onTask: (id) => ids.add(id) })
  await drained(control, LONGEST_DRAIN)
  return answered
}
