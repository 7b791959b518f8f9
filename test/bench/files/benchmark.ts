import { Server } from '../../support/server.js'
import type { Figure } from '../figure.js'
import { cached } from './cached.js'
import { fetches } from './fetches.js'
import { stalls } from './stalls.js'

/** Measures the time to render files, to serve them, and to poll during rendering. */
export async function files(): Promise<Figure[]> {
  const tasksim = await Server.start(['instant'])
  try {
    return [...(await fetches(tasksim.port)), ...(await cached(tasksim.port)), ...(await stalls())]
  } finally {
    await tasksim.kill()
  }
}
