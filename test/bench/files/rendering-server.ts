/** The real server in a process that knows how long its event loop was held up. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { compiled, loadLibrary } from '../distribution.js'
import { answerParent } from '../worker.js'

const RESOLUTION = 5

const { createSimulator } = await loadLibrary()
const { listen }: typeof import('../../../src/hosts/express/index.js') = await import(
  compiled('hosts/express/index.js')
)

const { baseUrl } = await listen(createSimulator({ scenario: 'instant' }), { port: 0 })
const delays = monitorEventLoopDelay({ resolution: RESOLUTION })

answerParent({
  port: () => Number(new URL(baseUrl).port),
  watch: () => {
    delays.reset()
    delays.enable()
  },
  /** Beyond the time that the loop sleeps between two looks, in milliseconds. */
  delay: () => Math.max(0, delays.percentile(99) / 1e6 - RESOLUTION),
})
