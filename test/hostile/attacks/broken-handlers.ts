import { fileURLToPath } from 'node:url'
import { type Check, expectThat } from '../../support/check.js'
import { Server } from '../../support/server.js'

const MODULE = fileURLToPath(new URL('../../support/broken-handlers.mjs', import.meta.url))
const OUTSIDE = ['timer', 'undefined', 'microtask', 'rejection', 'empty', 'file']
const INSIDE = ['request', 'nothing', 'status']
const TIMES = 20

/** Errors in the handlers of a user must not end the server. */
export const brokenHandlers: Check = {
  title: 'errors in handlers of a user do not end the server',
  async run(figure) {
    const server = await Server.start(['--handlers', MODULE])
    const origin = `http://127.0.0.1:${server.port}`
    const statusOf = async (path: string) => (await fetch(origin + path)).status
    const outside: number[] = []
    const inside: number[] = []
    for (let time = 0; time < TIMES; time++) {
      for (const name of OUTSIDE) outside.push(await statusOf(`/outside/${name}`))
      for (const name of INSIDE) inside.push(await statusOf(`/inside/${name}`))
    }
    figure(`${outside.length} errors outside of a request and ${inside.length} inside: the server still runs`)
    expectThat((await statusOf('/_sim/health')) === 200, 'the server is not healthy')
    expectThat(
      outside.every((status) => status === 200),
      `a request failed: ${outside}`,
    )
    expectThat(
      inside.every((status) => status === 500),
      `an error was not answered with 500: ${inside}`,
    )
    await server.kill()
  },
}
