import type { Faker } from '@faker-js/faker'
import type { Budget } from './budget.js'
import type { Schema } from './merge.js'
import type { SamplePattern } from './sample-pattern.js'

/** What texts are made with. */
export interface TextParts {
  readonly faker: Faker
  readonly samplePattern: SamplePattern
  readonly budget: Budget
}

const MOST_WORDS = 3

/** A day-to-day range of dates that does not depend on when it is asked for. */
const FROM = '2020-01-01T00:00:00Z'
const TO = '2030-01-01T00:00:00Z'

const FORMATS: Readonly<Record<string, (faker: Faker) => string>> = {
  email: (faker) => faker.internet.email().toLowerCase(),
  'idn-email': (faker) => faker.internet.email().toLowerCase(),
  uri: (faker) => `https://${faker.internet.domainName()}/${faker.lorem.slug(2)}`,
  url: (faker) => `https://${faker.internet.domainName()}/${faker.lorem.slug(2)}`,
  iri: (faker) => `https://${faker.internet.domainName()}/`,
  'uri-reference': (faker) => `/${faker.lorem.slug(2)}`,
  'iri-reference': (faker) => `/${faker.lorem.slug(2)}`,
  'uri-template': (faker) => `/${faker.lorem.word()}/{id}`,
  hostname: (faker) => faker.internet.domainName(),
  'idn-hostname': (faker) => faker.internet.domainName(),
  ipv4: (faker) => faker.internet.ipv4(),
  ipv6: (faker) => faker.internet.ipv6(),
  uuid: (faker) => faker.string.uuid(),
  'date-time': (faker) => instant(faker),
  date: (faker) => instant(faker).slice(0, 10),
  time: (faker) => instant(faker).slice(11),
  duration: (faker) => `PT${faker.number.int({ min: 1, max: 90 })}M`,
  'json-pointer': (faker) => `/${faker.lorem.word()}`,
  'relative-json-pointer': () => '0',
  regex: () => '^.*$',
  byte: (faker) => btoa(faker.lorem.word()),
}

/** A text of the length, pattern or format that a schema asks for; words where it asks for none. */
export function sampleText(schema: Schema, { faker, samplePattern, budget }: TextParts): string {
  const { minLength, maxLength, pattern, format } = schema
  const least = typeof minLength === 'number' ? Math.max(0, Math.ceil(minLength)) : 0
  const most = typeof maxLength === 'number' ? Math.max(0, Math.floor(maxLength)) : Infinity
  if (typeof pattern === 'string') {
    const text = samplePattern(
      pattern,
      { least, most },
      { float: () => faker.number.float(), spend: (steps) => budget.spend(steps) },
    )
    if (text !== undefined) return text.slice(0, budget.write(text.length))
  }
  const make = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  const formed = make?.(faker)
  if (formed !== undefined && formed.length >= least && formed.length <= most)
    return formed.slice(0, budget.write(formed.length))
  return words(faker, budget, least, most)
}

function words(faker: Faker, budget: Budget, least: number, most: number): string {
  const text = faker.lorem.words({ min: 1, max: MOST_WORDS })
  const length = budget.write(Math.min(most, Math.max(least, text.length)))
  return length <= text.length ? text.slice(0, length) : text.padEnd(length, ` ${text}`)
}

function instant(faker: Faker): string {
  return faker.date.between({ from: FROM, to: TO }).toISOString()
}
