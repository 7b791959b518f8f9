/**
 * Makes one mistake after another in the description of each dialect, and runs the tests of the dialect: they must
 * fail each time. `npm run test:mutation` makes ten mistakes a dialect; `npm run test:mutation -- all [dialect ...]`
 * makes all.
 */
import { FILES } from '../../src/dialects/files/index.generated.js'
import { Chance } from '../../src/engine/random.js'
import { failingTest } from './failing-test.js'
import { CLASSES, type Mutant, mutantsOf } from './mutants.js'

const COUNT = 10

const [first, ...others] = process.argv.slice(2)
const isWhole = first === 'all'
const names = isWhole ? others : process.argv.slice(2)

for (const { name, load } of FILES) {
  if (names.length > 0 && !names.includes(name)) continue
  const failing = await failingTest(name)
  if (failing !== '') throw new Error(`The tests of ${name} fail without a mistake: ${failing}`)
  const all = mutantsOf((await load()).TABLE)
  await report(name, isWhole ? all : sampleOf(all, name), all.length)
}

async function report(name: string, mutants: readonly Mutant[], count: number): Promise<void> {
  let found = 0
  for (const mutant of mutants) {
    const failed = await failingTest(name, mutant.index)
    if (failed !== '') found += 1
    else process.exitCode = 1
    const outcome = failed === '' ? 'NOT FOUND' : `found by: ${failed}`
    print(`  ${mutant.class} ${mutant.place}: ${outcome}`)
  }
  print(`${name}: ${found} of ${mutants.length} mistakes found, of ${count} possible ones`)
}

/** Takes mutants of all classes in turn, so that no class is missing. */
function sampleOf(all: readonly Mutant[], name: string): readonly Mutant[] {
  const random = Chance.of('mutation').stream(name)
  const shuffled = all
    .map((mutant) => ({ mutant, rank: random.float() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ mutant }) => mutant)
  const byClass = CLASSES.map((kind) => shuffled.filter((mutant) => mutant.class === kind))
  const rounds = Math.max(...byClass.map((mutants) => mutants.length))
  const turns = Array.from({ length: rounds }, (_, round) =>
    byClass.flatMap((mutants) => mutants[round] ?? []),
  )
  return turns.flat().slice(0, COUNT)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
