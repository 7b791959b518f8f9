import express from 'express'
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { dialectStarter, scenarioStarter } from '../../src/cli/init/starters.js'
import { connect } from '../../src/client/index.js'
import { createApp, listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, defineScenario, parseDialect, parseScenario } from '../../src/index.js'
import { plainSnippets } from './pages.js'
import { runBlock } from './stage.js'

const SERVER = 'http://127.0.0.1:4010'
const blocks = plainSnippets('ts', 'js').map(({ place, text }) => [place, text] as const)

/** Provides the names in placeholders.d.ts, with a new simulator and server. */
async function grantedTo(run: (granted: Readonly<Record<string, unknown>>, origin: string) => Promise<void>) {
  const sim = createSimulator({ clock: 'manual' })
  const server = await listen(sim, { port: 0 })
  const { origin } = new URL(server.baseUrl)
  const { id: taskId } = await sim.tasks.create({
    owner: 'sk_live_local',
    model: 'acme/image-1',
    input: {},
    webhookUrl: undefined,
    origin,
  })
  const quiet = { log: () => {} }
  try {
    await run(
      {
        ...{ sim, control: connect(origin), taskId, createApp, handlers, defineScenario },
        ...{ parseScenario, parseDialect },
        ...{ express, http: msw.http, HttpResponse: msw.HttpResponse, setupServer, expect },
        ...{ setupWorker: () => {}, console: quiet, readFile: readOwnFile },
        ...{ rawBody: '{}', secret: 'whsec_test' },
        startApp: async () => {},
        page: pageOf(),
      },
      origin,
    )
  } finally {
    sim.close()
    await server.close()
  }
}

async function readOwnFile(path: string): Promise<string> {
  const name = path.replace('.yaml', '')
  return name === 'tasksim' ? scenarioStarter('') : dialectStarter('', name)
}

/** Returns a fake browser page that finds every element at once. */
function pageOf(): object {
  const found = { click: async () => {}, waitFor: async () => {} }
  const find = () => found
  return { goto: async () => {}, getByRole: find, getByText: find, getByAltText: find }
}

test.each(blocks)('the code at %s runs', async (_, text) => {
  await grantedTo((granted, origin) => runBlock(text.replaceAll(SERVER, origin), granted))
})

test('the pages contain code blocks, and a failing block is detected', async () => {
  expect(blocks.length).toBeGreaterThan(15)
  await expect(runBlock("test('x', () => { throw new Error('no') })", {})).rejects.toThrow('no')
  await expect(runBlock("import { x } from 'nowhere'\nx()", {})).rejects.toThrow('nowhere')
})
