import fc from 'fast-check'
import { expect, it } from 'vitest'
import { changeSignature, signatureRuleOf } from '../../../src/cli/probe/signature-rule.js'
import { MAIN_DIALECT } from '../../../src/dialects/built-in.js'
import type { DialectWebhook } from '../../../src/dialects/table/dialect-table.generated.js'
import { signerOf } from '../../../src/dialects/table/webhooks/sign.js'
import { createSimulator } from '../../../src/index.js'

const format = MAIN_DIALECT.webhooks(createSimulator().scenario)

const ruleOf = (signature: DialectWebhook['signature'], secret = 'a secret') =>
  signatureRuleOf({ ...format, ...signerOf(signature) }, secret)

it.each([
  [
    'Standard Webhooks',
    'standard-webhooks' as const,
    {
      ...{ hasSecret: true, coversBody: true, coversTime: true, coversId: true },
      ...{ timeHeaders: ['webhook-timestamp'], idHeaders: ['webhook-id'] },
    },
  ],
  [
    'a time in the same header',
    { header: 'S', over: '{{time}},{{body}}', value: 't={{time}},v1={{signature}}' },
    {
      ...{ hasSecret: true, coversBody: true, coversTime: true, coversId: false },
      ...{ timeHeaders: [], idHeaders: [] },
    },
  ],
  [
    'a time that is not signed',
    { header: 'S', headers: { T: '{{time}}' } },
    { hasSecret: true, coversBody: true, coversTime: false, timeHeaders: ['T'] },
  ],
  [
    'a body that is not signed',
    { header: 'S', over: '{{id}}', headers: { I: '{{id}}' } },
    { hasSecret: true, coversBody: false, coversId: true, idHeaders: ['I'] },
  ],
  [
    'a fixed key',
    { header: 'S', value: 'open sesame' },
    { hasSecret: false, coversBody: false, coversTime: false, coversId: false },
  ],
])('the rule of signatures recognizes %s', async (_, signature, expected) => {
  expect(await ruleOf(signature)).toMatchObject(expected)
})

it('the rule of signatures has no rule for a service that does not sign', async () => {
  expect(await ruleOf(undefined)).toBeUndefined()
})

it('the rule of signatures finds the signature among other characters of the header', async () => {
  const text = fc.stringMatching(/^[\w=, -]{0,9}$/)
  const encoding = fc.constantFrom('hex' as const, 'base64' as const)
  await fc.assert(
    fc.asyncProperty(text, text, encoding, fc.string(), async (start, end, encoding, secret) => {
      const rule = await ruleOf({ header: 'S', encoding, value: `${start}{{signature}}${end}` }, secret)
      const padding = encoding === 'base64' ? '=' : ''
      const headers = { S: `${start}${'a'.repeat(43)}${padding}${end}` }
      if (rule === undefined) throw new Error('There is no rule.')
      expect(changeSignature(headers, rule, () => '')).toEqual({ S: `${start}${padding}${end}` })
    }),
  )
})
