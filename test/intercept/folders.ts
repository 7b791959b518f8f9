import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Check, expectThat } from '../support/check.js'
import { Server } from '../support/server.js'

/** Starts a server that intercepts. @returns it, and the folder of its files */
async function startServer() {
  const server = await Server.start(['instant', '--intercept=replicate'])
  const [, file = ''] = /in a shell +\. (\S+)/.exec(server.output) ?? []
  expectThat(existsSync(file), `Expected the file of variables, got ${server.output}`)
  return { server, folder: dirname(file) }
}

/** Checks that the files of an interception do not stay. */
export const folderChecks: readonly Check[] = [
  {
    title: 'the folder of an interception is gone after SIGTERM',
    async run() {
      const { server, folder } = await startServer()
      await server.stop()
      expectThat(!existsSync(folder), `Expected that ${folder} is deleted`)
    },
  },
  {
    title: 'the folder of an interception that was killed is gone after the next start',
    async run() {
      const { server, folder } = await startServer()
      await server.kill()
      expectThat(existsSync(folder), 'Expected that nothing could delete the folder')
      const next = await startServer()
      await next.server.stop()
      expectThat(!existsSync(folder), `Expected that ${folder} is deleted`)
    },
  },
]
