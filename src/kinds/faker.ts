import type { Faker } from '@faker-js/faker'
import { Lazy } from '../engine/lazy.js'
import type { Random } from '../engine/random.js'

/**
 * Loads faker on first use. All callers share one instance, because its construction is expensive.
 * @returns a function that returns the instance and makes it draw from the stream. The next call changes the stream, so
 *   do not await anything while you use the instance
 */
export async function fakerOn(random: Random): Promise<() => Faker> {
  const use = await shared.get()
  return () => use(random)
}

const shared = new Lazy(async () => {
  const { Faker, base, en } = await import('@faker-js/faker')
  let current: Random | undefined
  const next = () => current?.float() ?? 0
  const faker = new Faker({ locale: [en, base], randomizer: { next, seed: () => {} } })
  return (random: Random): Faker => {
    current = random
    return faker
  }
})
