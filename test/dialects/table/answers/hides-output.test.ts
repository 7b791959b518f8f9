import { expect, it } from 'vitest'
import { createSimulator } from '../../../../src/index.js'

it('finds the services whose status does not contain the output', async () => {
  const { dialects } = createSimulator()
  const all = await Promise.all(dialects.names.map((name) => dialects.load(name)))
  const hiding = all.filter(({ answers }) => answers.hidesOutput === true)
  expect(hiding.map(({ name }) => name)).toEqual(['fal', 'minimax'])
})
