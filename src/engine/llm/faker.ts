import type { Faker } from '@faker-js/faker'
import type { Random } from '../random.js'

let loaded: Promise<(random: Random) => Faker> | undefined

/**
 * Loads faker with its first use. One instance serves all: making one costs as much as a page of prose.
 * @returns a function that gives the instance, drawing from the stream until somebody else asks for it: use it
 * at once, and wait for nothing in between
 */
export async function fakerOn(random: Random): Promise<() => Faker> {
  loaded ??= load()
  const use = await loaded
  return () => use(random)
}

async function load(): Promise<(random: Random) => Faker> {
  const { Faker, base, en } = await import('@faker-js/faker')
  let current: Random | undefined
  const next = () => current?.float() ?? 0
  const faker = new Faker({ locale: [en, base], randomizer: { next, seed: () => {} } })
  return (random) => {
    current = random
    return faker
  }
}
