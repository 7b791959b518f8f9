import type { Random } from '../../engine/random.js'
import { fakerOn } from '../faker.js'

const MAX_WORDS = 12
const MAX_CHARACTERS = 100
/** The number of characters to search for the topic of a message. */
const SEARCHED_CHARACTERS = 1_000

const OPENINGS = [
  (topic: string) => `You asked about “${topic}”.`,
  (topic: string) => `On “${topic}”:`,
  (topic: string) => `Here is what I think of “${topic}”.`,
]

/** Generates an answer: it quotes the question and continues with meaningless prose. */
export async function writeProse(question: string, random: Random): Promise<string> {
  const faker = (await fakerOn(random))()
  const topic = topicOf(question)
  const opening = faker.helpers.arrayElement(OPENINGS)
  const prose = `${faker.hacker.phrase()} ${faker.lorem.paragraph({ min: 2, max: 6 })}`
  return topic === '' ? prose : `${opening(topic)} ${prose}`
}

/** Returns the first words of a message's first line, without punctuation at the end. */
export function topicOf(message: string): string {
  const [line = ''] = message.slice(0, SEARCHED_CHARACTERS).trim().split(/\n/, 1)
  const words = line.split(/\s+/).slice(0, MAX_WORDS).join(' ')
  const topic = [...words].slice(0, MAX_CHARACTERS).join('')
  return topic.replace(/[\s.,:;!?…。！？]+$/u, '')
}
