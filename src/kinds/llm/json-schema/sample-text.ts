import type { Faker } from '@faker-js/faker'
import { type PatternNode, parsePattern } from '../../../engine/pattern/parse-pattern.js'
import type { Budget, JsonSchema } from './json-schema.js'

/** The range of dates, which must not depend on the current time. */
const DATES = { from: '2020-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' }
const MAX_WORDS = 3

const FORMATS: Readonly<Record<string, (faker: Faker) => string>> = {
  email: (faker) => faker.internet.email().toLowerCase(),
  uri: (faker) => `https://${faker.internet.domainName()}/${faker.lorem.slug(2)}`,
  url: (faker) => `https://${faker.internet.domainName()}/${faker.lorem.slug(2)}`,
  'uri-reference': (faker) => `/${faker.lorem.slug(2)}`,
  hostname: (faker) => faker.internet.domainName(),
  ipv4: (faker) => faker.internet.ipv4(),
  ipv6: (faker) => faker.internet.ipv6(),
  uuid: (faker) => faker.string.uuid(),
  'date-time': (faker) => faker.date.between(DATES).toISOString(),
  date: (faker) => faker.date.between(DATES).toISOString().slice(0, 10),
  time: (faker) => faker.date.between(DATES).toISOString().slice(11),
  duration: (faker) => `PT${faker.number.int({ min: 1, max: 90 })}M`,
}

/** Generates a text that has the pattern or format and the length that a schema requires; a few words by default. */
export function sampleText(schema: JsonSchema, faker: Faker, budget: Budget): string {
  const { minLength, maxLength, pattern, format } = schema
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : Infinity
  const text =
    (typeof pattern === 'string' ? patternText(pattern, least, most, faker, budget) : undefined) ??
    (typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format]?.(faker) : undefined)
  if (text !== undefined && text.length >= least && text.length <= most)
    return budget.spend(text.length) ? text : ''
  const words = faker.lorem.words({ min: 1, max: MAX_WORDS })
  const length = Math.floor(Math.min(most, Math.max(least, words.length)))
  if (!budget.spend(length)) return ''
  return length <= words.length ? words.slice(0, Math.max(0, length)) : words.padEnd(length, ` ${words}`)
}

/** Characters for classes: printable ASCII, and a few others for classes such as `\p{Lu}` and `[^\x00-\x7f]`. */
const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)),
  ...'\t\néßñÄαжЖ中あ한😀',
]
const LONGEST_PATTERN = 1_000
const LONGEST_TEXT = 2_000
const USUAL_REPEATS = 4
const TRIES = 8

/** Generates a text that matches a pattern. Returns undefined if the pattern or the length is not supported. */
function patternText(
  pattern: string,
  least: number,
  most: number,
  faker: Faker,
  budget: Budget,
): string | undefined {
  const node = pattern.length > LONGEST_PATTERN ? undefined : parsed(pattern)
  if (node === undefined) return undefined
  const writer = new PatternWriter(faker, budget)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // Later attempts use the fewest or many repeats, to reach the bounds of the length.
    const repeats = attempt < TRIES / 2 ? USUAL_REPEATS : attempt % 2 === 0 ? 0 : least
    const text = writer.write(node, repeats, attempt >= TRIES / 2)
    if (text.length >= least && text.length <= most) return text
    if (text.length < least && !pattern.endsWith('$')) return text.padEnd(Math.min(least, LONGEST_TEXT), 'a')
  }
  return undefined
}

function parsed(pattern: string): PatternNode | undefined {
  try {
    return parsePattern(pattern)
  } catch {
    return undefined
  }
}

class PatternWriter {
  readonly #faker: Faker
  readonly #budget: Budget
  readonly #classes = new Map<string, readonly string[]>()

  constructor(faker: Faker, budget: Budget) {
    this.#faker = faker
    this.#budget = budget
  }

  /**
   * @param repeats the maximum number of optional repeats
   * @param isExact whether to write exactly that many, where the pattern allows it
   */
  write(node: PatternNode, repeats: number, isExact: boolean): string {
    if (!this.#budget.spend(1)) return ''
    switch (node.type) {
      case 'assertion':
        return ''
      case 'character':
        return this.#pick(this.#charactersOf(node.raw)) ?? ''
      case 'choice': {
        const option = this.#pick(node.options)
        return option === undefined ? '' : this.write(option, repeats, isExact)
      }
      case 'sequence':
        return node.parts.map((part) => this.write(part, repeats, isExact)).join('')
      case 'repeat': {
        const extra = Math.min(node.max - node.min, repeats)
        const count = node.min + (isExact ? extra : Math.floor(this.#faker.number.float() * (extra + 1)))
        let text = ''
        for (let index = 0; index < count && text.length < LONGEST_TEXT && this.#budget.spend(1); index++)
          text += this.write(node.part, repeats, isExact)
        return text
      }
    }
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#faker.number.float() * items.length)]
  }

  /** The characters of a class. The pattern itself is never run, because it could take exponential time. */
  #charactersOf(raw: string): readonly string[] {
    const known = this.#classes.get(raw)
    if (known !== undefined) return known
    const single = new RegExp(`^${raw}$`, 'u')
    const characters = CHARACTERS.filter((character) => single.test(character))
    this.#classes.set(raw, characters.length === 0 && [...raw].length === 1 ? [raw] : characters)
    return this.#classes.get(raw) ?? []
  }
}
