/** The real server in a process that measures the delay of its event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { compiled } from '../../support/server.js'
import { loadLibrary } from '../distribution.js'
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
  /** In milliseconds, without the time that the loop sleeps between two samples. */
  delay: () => Math.max(0, delays.percentile(99) / 1e6 - RESOLUTION),
})
