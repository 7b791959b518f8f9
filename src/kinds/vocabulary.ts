import { Lazy } from '../engine/lazy.js'
import type { Random } from '../engine/random.js'
import { fakerOn } from './faker.js'

/** The words of generated texts. */
export interface Vocabulary {
  /** Sentences with placeholders. */
  readonly phrases: readonly string[]
  /** The words in the place of each placeholder. */
  readonly jargon: Readonly<Record<string, readonly string[]>>
  readonly latin: readonly string[]
}

/** A word in a phrase, such as `{{hacker.noun}}`. */
const PLACEHOLDER = /\{\{hacker\.(\w+)\}\}/g

/** The words, which are loaded on first use. */
export const VOCABULARY = new Lazy(async (): Promise<Vocabulary> => {
  const faker = await fakerOn({ float: () => 0, int: () => 0 })
  const { hacker, lorem } = faker().definitions
  const { abbreviation, adjective, ingverb, noun, phrase, verb } = hacker
  return {
    phrases: phrase,
    jargon: { abbreviation, adjective, ingverb, noun, verb },
    latin: lorem.word,
  }
})

/** Draws a sentence of jargon as `hacker.phrase` of faker does, which parses the placeholders each time. */
export function drawPhrase({ phrases, jargon }: Vocabulary, random: Random): string {
  return pick(phrases, random).replace(PLACEHOLDER, (_, name: string) => {
    // faker draws twice, and uses the second draw.
    random.float()
    return pick(jargon[name] ?? [], random)
  })
}

/** Draws an item of a list. */
export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random.float() * items.length)] as Item
}
