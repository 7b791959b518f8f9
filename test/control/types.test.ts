import { expect, expectTypeOf, it } from 'vitest'
import { type Control, connect } from '../../src/client/index.js'
import { createSimulator } from '../../src/index.js'

it('the control API has one type, in process, remote and in a sandbox', () => {
  const sim = createSimulator()
  expectTypeOf(connect).returns.toEqualTypeOf(sim.control)
  expectTypeOf(sim.control).toEqualTypeOf<Control>()
  expectTypeOf(sim.control.sandboxes.control).returns.toEqualTypeOf<Control>()
  const names = (control: Control) => Object.keys(control).sort()
  expect(names(connect('http://127.0.0.1:4010'))).toEqual(names(sim.control))
  sim.close()
})

it.each(['127.0.0.1:4010', 'localhost:4010', 'ftp://localhost/', ''])(
  'the control client explains the expected URL for %j',
  (url) => {
    expect(() => connect(url)).toThrow(/http:\/\//)
  },
)

it('the control client names the unreachable server and the error', async () => {
  await expect(connect('http://127.0.0.1:9').state()).rejects.toThrow(
    /Cannot reach tasksim at http:\/\/127\.0\.0\.1:9: .+ Is it running\?/,
  )
})
