// Runs the service in the page, behind MSW's service worker, in development and in tests.
import { setupWorker } from 'msw/browser'
import { createSimulator } from 'tasksim'
import { handlers } from 'tasksim/msw'

const scenario = new URLSearchParams(location.search).get('scenario') ?? 'default'
// The simulator's clock follows Date and setTimeout of the page, so Playwright's `page.clock` controls both.
const sim = createSimulator({ scenario })
const worker = setupWorker(...handlers(sim, { baseUrl: `${location.origin}/api/v1` }))
await worker.start({ onUnhandledRequest: 'bypass', quiet: true })

// For tests: `await page.evaluate(() => sim.findings())`.
globalThis.sim = sim
