import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { Chance } from '../../src/engine/random.js'
import type { JsonObject } from '../../src/index.js'
import { readMediaSpec } from '../../src/kinds/built-in-kinds.js'
import { createMediaRenderer } from '../../src/media/media-renderer.js'
import { compose } from '../../src/media/picture/compose.js'
import { toSvg } from '../../src/media/platform.js'
import { runs } from '../support/deep.js'
import { aTask } from '../support/tasks.js'

const renderer = createMediaRenderer()

function render(input: JsonObject, id = 'task_1', file = 0) {
  return renderer.render(aTask({ id, input, media: readMediaSpec('image', input) }), file)
}

async function svgOf(prompt: string, { width = 256, height = 256, key = 'task_1' } = {}): Promise<string> {
  return toSvg(
    await compose({ width, height, model: 'acme/image-1', prompt }, Chance.of(key).stream('picture')),
  )
}

test('a picture has the requested size and format', async () => {
  const shapes = fc.record({
    width: fc.integer({ min: 16, max: 700 }),
    height: fc.integer({ min: 16, max: 700 }),
    output_format: fc.constantFrom('png', 'jpeg', 'webp'),
    prompt: fc.string({ unit: 'grapheme', maxLength: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(shapes, async (input) => {
      const { width, height, format } = await sharp(await render(input)).metadata()
      expect({ width, height, format }).toEqual({
        width: input.width,
        height: input.height,
        format: input.output_format,
      })
    }),
    { numRuns: runs(8, 25) },
  )
})

test('the same task has the same picture; its next file and another task have others', async () => {
  const input = { prompt: 'a lighthouse', size: '128x128' }
  const [first, again] = [await render(input), await render(input)]
  expect(Buffer.from(first).equals(again)).toBe(true)
  expect(Buffer.from(first).equals(await render(input, 'task_1', 1))).toBe(false)
  expect(Buffer.from(first).equals(await render(input, 'task_2'))).toBe(false)
})

const HOSTILE: Readonly<Record<string, string>> = {
  markup: '</svg><script>alert(1)</script><image href="file:///etc/passwd"/>',
  'an entity bomb': '<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "&c;&c;">]>&a;',
  'an attribute': '" onload="alert(1)" x="',
  'control characters': '\u0000\u0001\u001b[31mred\u007f\u0085\u2028 ',
  'halves of characters': '\ud83d \udc00 ok',
  'right-to-left text': 'منارة عند الفجر \u202Eevil\u202C שלום',
  emoji: '🌅👨‍👩‍👧‍👦🏳️‍🌈🇫🇷',
  Chinese: '一座海边的灯塔',
  Devanagari: 'हिमालय पर सूर्योदय',
  'piles of accents': `a${'\u0301'.repeat(10_000)}b`,
  'a name of Object': 'constructor __proto__ toString',
  nothing: '',
}

test.each(Object.entries(HOSTILE))(
  '%s in a prompt is drawn as outlines, not as markup',
  async (_, prompt) => {
    const svg = await svgOf(prompt)
    expect(
      svg.replace(
        / (?:d|fill|id|offset|stop-color|stop-opacity|fill-opacity|gradientUnits|[cr][xy]?|[xy][12])="[-\w .#()]*"/g,
        '',
      ),
    ).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="256" height="256" viewBox="0 0 256 256">(?:<(?:path|stop)\/>|<\/?(?:linear|radial)Gradient>)+<\/svg>$/,
    )
    expect((await sharp(Buffer.from(svg)).metadata()).width).toBe(256)
  },
)

test('a prompt of a megabyte makes a picture no larger than a long one', async () => {
  const long = await svgOf('word '.repeat(300))
  expect((await svgOf('word '.repeat(200_000))).length).toBe(long.length)
  expect((await svgOf('W'.repeat(1_000_000))).length).toBeLessThan(1_000_000)
})

test('letters in the font are drawn, and others are marked', async () => {
  const [nothing, latin, cyrillic, chinese] = await Promise.all(
    ['', 'abc', 'абв', '灯塔'].map((prompt) => svgOf(prompt)),
  )
  const paths = (svg = '') => svg.match(/<path/g)?.length ?? 0
  expect([latin, cyrillic, chinese].map(paths)).toEqual([1, 1, 1].map((more) => paths(nothing) + more))
  expect(chinese).toContain('fill-opacity="0.6"')
  expect(latin).not.toContain('fill-opacity="0.6"')
})

test('every picture says that it is simulated, unless it is too small for legible letters', async () => {
  const sizes = [16, 32, 64, 160, 1_024]
  const marks = await Promise.all(
    sizes.map(async (side) =>
      (await svgOf('', { width: side, height: side })).includes('fill-opacity="0.95"'),
    ),
  )
  expect(marks).toEqual([false, false, true, true, true])
})
