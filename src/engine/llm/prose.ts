import type { Random } from '../random.js'
import { fakerOn } from './faker.js'

const MOST_WORDS = 12
const MOST_CHARACTERS = 100
/** How far into a message its topic may begin. */
const READ = 1_000

const OPENINGS = [
  (topic: string) => `You asked about “${topic}”.`,
  (topic: string) => `On “${topic}”:`,
  (topic: string) => `Here is what I think of “${topic}”.`,
]

/** Makes up an answer: it says what the question was, and goes on with prose that means nothing. */
export async function writeProse(question: string, random: Random): Promise<string> {
  const faker = (await fakerOn(random))()
  const topic = topicOf(question)
  const opening = faker.helpers.arrayElement(OPENINGS)
  const prose = `${faker.hacker.phrase()} ${faker.lorem.paragraph({ min: 2, max: 6 })}`
  return topic === '' ? prose : `${opening(topic)} ${prose}`
}

/** The first words of a message's first line, without the marks at their end. */
export function topicOf(message: string): string {
  const [line = ''] = message.slice(0, READ).trim().split(/\n/, 1)
  const words = line.split(/\s+/).slice(0, MOST_WORDS).join(' ')
  const topic = [...words].slice(0, MOST_CHARACTERS).join('')
  return topic.replace(/[\s.,:;!?…。！？]+$/u, '')
}
