/**
 * Makes one mistake after another in the description of each dialect, and runs the tests of the dialect: they must
 * fail each time. `npm run test:mutation` makes five mistakes a dialect, each of another class;
 * `npm run test:mutation -- all [dialect ...]` makes all.
 */
import { FILES } from '../../src/dialects/files/index.generated.js'
import { Chance } from '../../src/engine/random.js'
import { failingTest } from './failing-test.js'
import { limiter } from './limiter.js'
import { CLASSES, type Mutant, mutantsOf } from './mutants.js'

const COUNT = 5
/** A run takes a whole core, and machines for CI have two. */
const AT_ONCE = 2

/** The tests of a dialect, without a mistake and with each of some mistakes. */
interface Run {
  readonly name: string
  /** The number of possible mistakes. */
  readonly possible: number
  readonly right: Promise<string>
  readonly mistakes: readonly { readonly mutant: Mutant; readonly failing: Promise<string> }[]
}

const [first, ...others] = process.argv.slice(2)
const isWhole = first === 'all'
const names = isWhole ? others : process.argv.slice(2)
const unknown = names.find((name) => FILES.every((file) => file.name !== name))
if (unknown !== undefined) throw new Error(`There is no dialect ${unknown}.`)

const limited = limiter(AT_ONCE)
const chosen = FILES.filter(({ name }) => names.length === 0 || names.includes(name))
const runs = await Promise.all(chosen.map(start))
for (const run of runs) await report(run)

async function start({ name, load }: (typeof FILES)[number]): Promise<Run> {
  const all = mutantsOf((await load()).TABLE)
  const mutants = isWhole ? all : sampleOf(all, name)
  return {
    name,
    possible: all.length,
    right: limited(() => failingTest(name)),
    mistakes: mutants.map((mutant) => ({
      mutant,
      failing: limited(() => failingTest(name, mutant.index)),
    })),
  }
}

async function report({ name, possible, right, mistakes }: Run): Promise<void> {
  const wrong = await right
  if (wrong !== '') throw new Error(`The tests of ${name} fail without a mistake: ${wrong}`)
  let found = 0
  for (const { mutant, failing } of mistakes) {
    const failed = await failing
    if (failed !== '') found += 1
    else process.exitCode = 1
    const outcome = failed === '' ? 'NOT FOUND' : `found by: ${failed}`
    print(`  ${mutant.class} ${mutant.place}: ${outcome}`)
  }
  print(`${name}: ${found} of ${mistakes.length} mistakes found, of ${possible} possible ones`)
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
