import { setupWorker } from 'msw/browser'
import { createSimulator, type SimulatorOptions } from 'tasksim'
import { handlers } from 'tasksim/msw'

export const BASE_URL = 'https://api.example.com/api/v1'

const worker = setupWorker()

/** The URLs that no handler matched since the last {@link mockApi}. */
export const unmatched: string[] = []

export async function startWorker(): Promise<void> {
  await worker.start({ quiet: true, onUnhandledRequest: ({ url }) => void unmatched.push(url) })
}

/** Mocks the API with a new simulator, on a manual clock by default. */
export function mockApi(options: SimulatorOptions = {}) {
  const sim = createSimulator({ clock: 'manual', ...options })
  worker.resetHandlers(...handlers(sim, { baseUrl: BASE_URL }))
  unmatched.length = 0
  return sim
}
