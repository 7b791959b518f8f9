import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../support/check.js'
import { expectCommandsToInstall } from './optional.js'
import type { Packed } from './pack.js'
import { checkSize } from './weight.js'
import { run, serve, WORKSHOP } from './workshop.js'

const folder = join(WORKSHOP, 'bare')

/**
 * All work that needs a dependency: pictures, videos, chats, YAML, MSW. It uses the entry points, or a server at the
 * given address.
 */
const EVERYTHING = `
import { createSimulator, parseScenario, signPayload } from 'tasksim'
import { listen } from 'tasksim/express'
import { connect } from 'tasksim/client'
import 'tasksim/package.json' with { type: 'json' }
import 'tasksim/scenario.schema.json' with { type: 'json' }
import 'tasksim/dialect.schema.json' with { type: 'json' }

const sim = createSimulator({ scenario: parseScenario('extends: instant'), clock: 'manual' })
const [, , served] = process.argv
const { baseUrl, close } = served ? { baseUrl: served, close() {} } : await listen(sim, { port: 0 })
const control = connect(new URL(baseUrl).origin)
const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const orders = { 'acme/image-1': { prompt: 'waves' }, 'acme/video-1': { prompt: 'waves', duration: 2 },
  'acme/speech-1': { text: 'waves' }, 'acme/composer-2.5': { messages: [{ role: 'user', content: 'waves' }] } }
for (const [model, input] of Object.entries(orders)) {
  const body = JSON.stringify({ model, input })
  const { id } = await (await fetch(baseUrl + '/tasks', { method: 'POST', headers, body })).json()
  await control.clock.advance('1m')
  const { output } = await (await fetch(baseUrl + '/tasks/' + id, { headers })).json()
  const url = output.images?.[0] ?? output.video ?? output.audio
  const bytes = url === undefined ? output.message.content.length : (await (await fetch(url)).arrayBuffer()).byteLength
  console.log(model, bytes > 0)
}
console.log('control', (await control.tasks.list()).data.length === 4)
console.log('page', (await fetch(new URL('/_sim/', baseUrl))).ok)
console.log('signature', signPayload('{}', 'secret').length === 64)
await close()
`

/** Checks the package in an installation on its own, without install scripts. */
export function installChecks(packed: () => Packed): Record<string, Check['run']> {
  return {
    'the package installs without install scripts, and does all that it does'() {
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
      run(
        folder,
        'npm',
        'install',
        '--omit=dev',
        '--ignore-scripts',
        '--no-fund',
        '--no-audit',
        packed().file,
      )
      writeFileSync(join(folder, 'everything.js'), EVERYTHING)
      everything()
    },

    'what is installed weighs less than 60 MB'(figure) {
      checkSize(folder, figure)
    },

    'what needs a package that is not installed names the command that installs it'() {
      expectCommandsToInstall(folder)
    },

    async 'the command serves all that the library does'() {
      const server = await serve(folder, 'instant', '--clock', 'manual')
      everything(`${server.origin}/api/v1`)
      await server.stop()
    },
  }
}

/** Runs the program, with the library or with a running server. */
function everything(...served: string[]): void {
  const told = run(folder, 'node', 'everything.js', ...served)
    .trim()
    .split('\n')
  const done = told.filter((line) => line.endsWith(' true'))
  if (told.length !== 7 || done.length !== 7) throw new Error(`it said:\n${told.join('\n')}`)
}
