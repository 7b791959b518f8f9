import { describe, expect, it } from 'vitest'
import {
  ERROR_CODES,
  FAULTS,
  OUTCOMES,
  WEBHOOK_FAULTS,
} from '../../src/dashboard/model/compose/directive-choices.js'
import {
  changedService,
  fieldText,
  inputFlaw,
  newRequestOf,
  withField,
} from '../../src/dashboard/model/compose/order.js'
import { promptIn } from '../../src/dashboard/model/format.js'
import { parseDirective } from '../../src/engine/directive/directive.js'
import { FAULT_WORDS } from '../../src/engine/requests/fault.js'
import { OUTCOMES as ALL_OUTCOMES } from '../../src/engine/tasks/task.js'
import { WEBHOOK_FAULT_WORDS } from '../../src/engine/webhooks/faults/webhook-fault.js'

describe('the order in the address', () => {
  it('becomes a request to the control API, without what is empty or not yet valid', () => {
    expect(newRequestOf({})).toEqual({})
    expect(newRequestOf({ input: '{"a": ', model: '', outcome: '', webhook_url: '' })).toEqual({})
    expect(
      newRequestOf({
        from: 'task_1',
        dialect: 'luma',
        kind: 'image',
        model: 'm',
        prompt: 'p',
        input: '{"a": 1}',
        webhook_url: 'none',
        outcome: 'failed',
        webhook_delay: '2s',
      }),
    ).toEqual({
      task: 'task_1',
      dialect: 'luma',
      kind: 'image',
      model: 'm',
      prompt: 'p',
      input: { a: 1 },
      webhook_url: null,
      directives: { outcome: 'failed', webhook_delay: '2s' },
    })
  })

  it('keeps the prompt, the webhook and the directives for another service', () => {
    const order = { from: 'task_1', model: 'm', kind: 'llm', outcome: 'failed', webhook_url: 'http://x/' }
    const messages = [
      { role: 'system', content: 'short' },
      { role: 'user', content: 'hi' },
    ]
    expect(changedService(order, { dialect: 'fal' }, { messages })).toEqual({
      dialect: 'fal',
      prompt: 'hi',
      outcome: 'failed',
      webhook_url: 'http://x/',
    })
    expect(changedService({}, { dialect: 'fal' }, { prompt: 'the default' })).toEqual({ dialect: 'fal' })
  })
})

describe('the form of an input', () => {
  it('changes one field, and removes one that is empty', () => {
    const input = { prompt: 'a', duration: 5, other: [1] }
    expect(withField(input, { name: 'duration', type: 'number' }, '7.5')).toEqual({ ...input, duration: 7.5 })
    expect(withField(input, { name: 'duration', type: 'number' }, 'x')).toEqual({ ...input, duration: 'x' })
    expect(withField(input, { name: 'duration', type: 'number' }, '')).toEqual({ prompt: 'a', other: [1] })
    expect(withField(input, { name: 'prompt', type: 'text' }, '')).toEqual({ ...input, prompt: '' })
    expect(withField(input, { name: 'sound', type: 'boolean' }, 'false')).toEqual({ ...input, sound: false })
    expect(fieldText(input, 'other')).toBe('[1]')
  })

  it('shows and changes the last message of a conversation', () => {
    const first = { role: 'system', content: 'short' }
    const input = { messages: [first, { role: 'user', content: 'hi' }] }
    expect(promptIn(input)).toBe('hi')
    expect(withField(input, { name: 'messages', type: 'text' }, 'ho')).toEqual({
      messages: [first, { role: 'user', content: 'ho' }],
    })
    expect(withField({}, { name: 'messages', type: 'text' }, 'ho')).toEqual({
      messages: [{ role: 'user', content: 'ho' }],
    })
  })

  it('says why a text is not an input', () => {
    expect(inputFlaw('{"a": 1}')).toBeUndefined()
    expect(inputFlaw('{"a"')).toMatch(/^This is not valid JSON: /)
    expect(inputFlaw('[1]')).toMatch(/^The input must be a JSON object/)
  })
})

it('the choices of the composer are the directives that there are', () => {
  expect(Object.keys(OUTCOMES)).toEqual([...ALL_OUTCOMES])
  expect(Object.keys(WEBHOOK_FAULTS).sort()).toEqual(Object.keys(WEBHOOK_FAULT_WORDS).sort())
  // `pass` is for lists, and `stale` needs an earlier answer.
  const words = Object.keys(FAULT_WORDS).filter((word) => word !== 'pass' && word !== 'stale')
  expect(Object.keys(FAULTS).filter((word) => !/^\d+$/.test(word))).toEqual(words)
  for (const fault of Object.keys(FAULTS)) expect(parseDirective(`fault=${fault}`).fault).toHaveLength(1)
  for (const code of ERROR_CODES) expect(parseDirective(`error=${code}`).plan.error.code).toBe(code)
})
