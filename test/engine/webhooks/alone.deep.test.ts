import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const TSX = import.meta.resolve('tsx')
const LIBRARY = new URL('../../../src/index.ts', import.meta.url)

/** A program in which only the simulator has pending work. */
const PROGRAM = `
  const { createSimulator } = await import('${LIBRARY}')
  const sim = createSimulator({
    clock: 'manual',
    patience: 20,
    scenario: { defaults: { delay: '1s' }, webhooks: { retries: [] } },
    receivers: [() => new Promise(() => {})],
  })
  sim.on('delivery.attempted', ({ state }, { error }) => console.log(state, error))
  await sim.tasks.create({ owner: 'sk_one', model: 'acme/image-1', input: {}, origin: 'http://localhost' })
  await sim.clock.advance('1m')
  console.log('advanced')
`

test('a program that waits for the clock does not exit while a receiver hangs', async () => {
  const args = ['--import', TSX, '--input-type=module', '-e', PROGRAM]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('given_up no answer within 15 s\nadvanced\n')
})
