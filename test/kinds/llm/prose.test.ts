import { expect, test } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { fakerOn } from '../../../src/kinds/faker.js'
import { topicOf, writeProse } from '../../../src/kinds/llm/prose.js'

test.each([
  ['Write a haiku about autumn.', 'Write a haiku about autumn'],
  ['  What is   love?!\nBaby, do not hurt me.', 'What is love'],
  [
    'one two three four five six seven eight nine ten eleven twelve thirteen',
    'one two three four five six seven eight nine ten eleven twelve',
  ],
  ['俳句を書いてください。', '俳句を書いてください'],
  ['😀'.repeat(200), '😀'.repeat(100)],
  ['', ''],
  ['...', ''],
])('the topic of %j is %j', (message, topic) => {
  expect(topicOf(message)).toBe(topic)
})

test('prose begins with the requested topic, and has no opening without a topic', async () => {
  const write = (question: string) => writeProse(question, Chance.of('seed').stream('reply'))
  expect(await write('Tell me about whales.')).toMatch(/^[^.]*“Tell me about whales”/)
  expect(await write('')).not.toContain('“')
})

test('two concurrent writers do not affect each other', async () => {
  const write = (seed: string) => writeProse('Hello', Chance.of(seed).stream('reply'))
  const alone = [await write('a'), await write('b')]
  expect(await Promise.all([write('a'), write('b')])).toEqual(alone)
})

test('prose is drawn as faker draws it', async () => {
  for (let seed = 0; seed < 50; seed++) {
    const stream = () => Chance.of(String(seed)).stream('reply')
    const faker = (await fakerOn(stream()))()
    faker.number.int({ max: 2 })
    const expected = `${faker.hacker.phrase()} ${faker.lorem.paragraph({ min: 2, max: 6 })}`
    expect(await writeProse('', stream())).toBe(expected)
  }
})
