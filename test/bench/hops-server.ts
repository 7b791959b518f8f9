/** The simulator on its real server, from source, in a process that counts the calls of every function. */
import { Session } from 'node:inspector/promises'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { answerParent } from './worker.js'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const SOURCE = new URL('../../src/', import.meta.url).href

/** Names functions in code that the loader has compiled. */
const HELPER = '__name'

const server = await listen(createSimulator(), { port: 0 })

/** The functions of `src` that were called since the last question, by their files. V8 counts from zero after each. */
async function called(): Promise<[file: string, functions: string[]][]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result.flatMap(({ url, functions }): [string, string[]][] => {
    if (!url.startsWith(SOURCE)) return []
    const names = functions.flatMap(({ functionName: name, ranges: [range] }) =>
      range === undefined || range.count === 0 || name === HELPER
        ? []
        : [name === '' ? `(${range.startOffset})` : name],
    )
    return names.length === 0 ? [] : [[url.slice(SOURCE.length).replace(/\?.*/, ''), names]]
  })
}

answerParent({ port: () => Number(new URL(server.baseUrl).port), called })
