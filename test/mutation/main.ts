/**
 * Makes one mistake after another in the description of each dialect, and runs the tests of the dialect: they must
 * fail each time. `npm run test:mutation` makes one mistake a dialect; `npm run test:mutation -- all [dialect ...]`
 * makes all.
 */
import { FILES } from '../../src/dialects/files/index.generated.js'
import { Chance } from '../../src/engine/random.js'
import type { Check } from '../support/check.js'
import { harness, runOnLanes } from '../support/runner.js'
import { failingTest, LONGEST_RUN } from './failing-test.js'
import { CLASSES, type Mutant, mutantsOf } from './mutants.js'

/** A run takes a whole core, and machines for CI have two. */
const AT_ONCE = 2
const LONGEST = 24 * 3_600_000

await harness('test:mutation', LONGEST, async (words) => {
  const [first, ...others] = words
  const isWhole = first === 'all'
  const names = isWhole ? others : words
  const unknown = names.find((name) => FILES.every((file) => file.name !== name))
  if (unknown !== undefined) throw new Error(`There is no dialect ${unknown}.`)
  const chosen = FILES.filter(({ name }) => names.length === 0 || names.includes(name))
  const checks = await Promise.all(chosen.map((file) => checksOf(file, isWhole)))
  const all = [...chosen.slice(0, 1).map(withoutMistake), ...checks.flat()]
  return runOnLanes(Array(AT_ONCE).fill(all), { longest: 2 * LONGEST_RUN * chosen.length })
})

/**
 * Otherwise a failure would not show that a mistake is found. One dialect shows that the tests work in such a process;
 * that those of all dialects pass is known from `npm test`.
 */
function withoutMistake({ name }: { readonly name: string }): Check {
  return {
    title: `${name}: the tests pass without a mistake`,
    async run() {
      const failing = await failingTest(name)
      if (failing !== '') throw new Error(`They fail: ${failing}`)
    },
  }
}

/** The tests of a dialect fail with each of some mistakes. */
async function checksOf({ name, load }: (typeof FILES)[number], isWhole: boolean): Promise<Check[]> {
  const all = mutantsOf((await load()).TABLE)
  const one = oneOf(all, name)
  const mutants = isWhole || one === undefined ? all : [one]
  return mutants.map((mutant) => ({
    title: `${name}: the tests find a mistake: ${mutant.class} ${mutant.place}`,
    async run(figure) {
      const failing = await failingTest(name, mutant.index)
      if (failing === '') throw new Error('No test fails.')
      figure(`found by: ${failing}`)
    },
  }))
}

/** Takes a mutant by chance. The classes take turns from dialect to dialect, so that none is missing. */
function oneOf(all: readonly Mutant[], name: string): Mutant | undefined {
  const turn = FILES.findIndex((file) => file.name === name)
  const classes = CLASSES.map((_, index) => CLASSES[(turn + index) % CLASSES.length])
  const kind = classes.find((kind) => all.some((mutant) => mutant.class === kind))
  const mutants = all.filter((mutant) => mutant.class === kind)
  return mutants[Math.floor(Chance.of('mutation').stream(name).float() * mutants.length)]
}
