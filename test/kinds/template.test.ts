import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/index.js'
import { fillTemplate, fillText } from '../../src/kinds/template.js'
import { deepTest } from '../support/deep.js'

const INPUT: JsonObject = {
  prompt: 'a lighthouse',
  scale: 4,
  flags: { fast: true, list: ['a', null] },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
}

test.each<[JsonValue, JsonValue]>([
  ['{{input.prompt}}', 'a lighthouse'],
  ['{{ input.prompt }}', 'a lighthouse'],
  ['{{input.scale}}', 4],
  ['{{input.flags}}', { fast: true, list: ['a', null] }],
  ['{{input.flags.list.0}}', 'a'],
  ['{{input}}', INPUT],
  ['{{last_user_message}}', 'Hello'],
  ['{{input.nothing}}', null],
  ['{{input.constructor}}', null],
  ['{{input.prompt.length}}', null],
  ['{{last_user_message.length}}', null],
])('a text with only one reference becomes the value itself: %j', (template, expected) => {
  expect(fillTemplate({ a: [template] }, INPUT)).toEqual({ a: [expected] })
})

test.each([
  ['of {{input.prompt}}, {{input.scale}}x', 'of a lighthouse, 4x'],
  ['{{input.flags}}!', '{"fast":true,"list":["a",null]}!'],
  ['[{{input.nothing}}]', '[]'],
  ['{{input.prompt}}{{input.scale}}', 'a lighthouse4'],
  ['{{other}} {{ }} {{input.a', '{{other}} {{ }} {{input.a'],
])('a value inside a longer text becomes text: %j', (template, expected) => {
  expect(fillTemplate(template, INPUT)).toBe(expected)
})

test('an inserted text is not expanded again', () => {
  const input = { a: '{{input.b}}', b: 'secret', c: '$& $1' }
  expect(fillTemplate(['{{input.a}}', '-{{input.a}}', '-{{input.c}}'], input)).toEqual([
    '{{input.b}}',
    '-{{input.b}}',
    '-$& $1',
  ])
})

test('a client cannot request files through a placeholder in its input', () => {
  const input = { mark: '{{file}}', marks: [['{{file}}']], one: '{{fi', two: 'le}}' }
  const template = [
    '{{input.mark}}',
    '{{input.marks}}',
    '{{input.one}}{{input.two}}',
    '{{file}}',
    'a {{input.mark}}',
  ]
  expect(fillTemplate(template, input)).toEqual([null, null, '', '{{file}}', 'a {{file}}'])
})

deepTest('a huge input does not cause a far larger output', () => {
  const input = { text: 'x'.repeat(300_000), list: new Array(200_000).fill(0) }
  const sizeOf = (template: JsonValue) => JSON.stringify(fillTemplate(template, input)).length
  expect(sizeOf(new Array(1_000).fill('{{input.text}}'))).toBeLessThan(11_000_000)
  expect(sizeOf(new Array(100).fill('{{input.list}}'))).toBeLessThan(11_000_000)
  expect(sizeOf('{{input.text}} '.repeat(1_000))).toBeLessThan(11_000_000)
  expect(fillText('{{input.text}} '.repeat(1_000), input).length).toBeLessThan(102_000)
})

test('a template without references is unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (template) => {
      fc.pre(!JSON.stringify(template).includes('{{'))
      expect(fillTemplate(template as JsonValue, INPUT)).toEqual(template)
    }),
  )
})

test('a template with an unfinished reference is read in linear time', () => {
  const unfinished = `{{input.${' '.repeat(90_000)}`
  expect(fillText(unfinished, INPUT)).toBe(unfinished)
})
