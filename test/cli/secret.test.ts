import { expect, it } from 'vitest'
import { DIALECT_SECRETS } from '../../src/engine/webhooks/signing/signature.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const SCENARIO = `
webhooks:
  secret: whsec_of_the_scenario
  receivers:
    - http://localhost:3000/plain
    - { url: "http://localhost:3000/own?token=abcdefgh12345678", secret: whsec_of_the_receiver }
dialects:
  replicate: { secret: whsec_b2YgcmVwbGljYXRl }
`

async function secret(...args: string[]) {
  const folder = folderWith({ 'own.yaml': SCENARIO })
  const { ended, stdout, stderr } = runInProcess(folder, ['secret', ...args])
  return { status: await ended, stdout: stdout(), stderr: stderr() }
}

it.each([
  [[], 'whsec_local_signing_secret'],
  [['--dialect', 'replicate', '--webhook-secret', 'mine'], 'mine'],
  [['--dialect', 'replicate'], DIALECT_SECRETS.secret],
  [['own.yaml'], 'whsec_of_the_scenario'],
  [['own.yaml', '--dialect', 'replicate'], 'whsec_b2YgcmVwbGljYXRl'],
  [['own.yaml', '--receiver', 'http://localhost:3000/plain'], 'whsec_of_the_scenario'],
  [['own.yaml', '--receiver', 'http://localhost:3000/own?token=abcdefgh12345678'], 'whsec_of_the_receiver'],
  [['own.yaml', '--receiver', 'http://localhost:3000/own?token=***'], 'whsec_of_the_receiver'],
])('`tasksim secret` with %j prints %s', async (args, expected) => {
  expect(await secret(...args)).toEqual({ status: 0, stdout: `${expected}\n`, stderr: '' })
})

it.each([
  [
    ['own.yaml', '--receiver', 'http://localhost:3000/wrong?token=abcdefgh12345678'],
    'The scenario has no receiver at http://localhost:3000/wrong?token=***. Give one of its receivers: http://localhost:3000/plain, http://localhost:3000/own?token=***',
  ],
  [['--receiver', 'http://localhost:3000/plain'], 'The scenario has no receivers. Omit --receiver.'],
])('`tasksim secret` with %j prints no secret of another receiver', async (args, message) => {
  const { status, stdout, stderr } = await secret(...args)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(message)
})

it('`tasksim secret` explains that a service does not sign its webhooks', async () => {
  const { status, stderr } = await secret('--dialect', 'runpod')
  expect(status).not.toBe(0)
  expect(stderr).toContain('The service runpod does not sign its webhooks.')
})
