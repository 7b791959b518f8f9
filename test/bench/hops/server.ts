/** The simulator on its real server, from source, in a process that counts the calls of every function. */
import { Session } from 'node:inspector/promises'
import { listen } from '../../../src/hosts/express/index.js'
import { createSimulator } from '../../../src/index.js'
import { answerParent } from '../worker.js'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const SOURCE = new URL('../../../src/', import.meta.url).href

const server = await listen(createSimulator(), { port: 0 })

/**
 * The functions of `src` that were called since the last question, as `file function`. V8 counts from zero after each.
 */
async function called(): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(SOURCE))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ functionName, ranges: [range] }) => functionName !== HELPER && (range?.count ?? 0) > 0)
        .map(({ functionName, ranges: [range] }) => {
          const name = functionName === '' ? `anonymous@${range?.startOffset}` : functionName
          return `${url.slice(SOURCE.length).replace(/\?.*/, '')} ${name}`
        }),
    )
}

/** Names functions in code that the loader has compiled. */
const HELPER = '__name'

answerParent({ port: () => Number(new URL(server.baseUrl).port), called })
