import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** How long a text has to be, in characters. */
interface Length {
  readonly least: number
  readonly most: number
}

/** Where chance comes from, and who pays. */
interface Means {
  float(): number
  /** Pays for some steps; false where there is nothing left to pay with. */
  spend(steps: number): boolean
}

/** Writes a text that a regular expression matches; undefined for an expression that it cannot follow. */
export type SamplePattern = (pattern: string, length: Length, means: Means) => string | undefined

const LONGEST_PATTERN = 1_000
const LONGEST_TEXT = 2_000
const MOST_STEPS = 20_000
const ORDINARY_REPEATS = 4
const TRIES = 12

/** What classes are tried on, beside the ends of their own ranges. */
const CANDIDATES = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)),
  ...'\t\néßñαжأא中あ한ก€😀',
]

/**
 * Walks through the expression and writes as it goes. The expression is never run on the text: a stranger's
 * expression may take for ever. So lookarounds count as met, and are not.
 */
export const samplePattern: SamplePattern = (pattern, { least, most }, means) => {
  if (!means.spend(pattern.length)) return undefined
  const ast = parse(pattern)
  if (ast === undefined) return undefined
  const isOpen = !pattern.endsWith('$')
  const members: Members = new Map()
  let best: string | undefined
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // At first as long as it comes, then towards the bounds.
    const repeats =
      attempt < TRIES / 2 ? ORDINARY_REPEATS : attempt % 2 === 0 ? 0 : Math.min(least, LONGEST_TEXT)
    const text = new Writer(repeats, attempt >= TRIES / 2, means, members).write(ast)
    if (isWithin(text, least, most)) return text
    if (text.length < least && isOpen) best = text.padEnd(Math.min(least, LONGEST_TEXT), 'a')
    best ??= text
  }
  return best
}

function isWithin(text: string, least: number, most: number): boolean {
  const length = [...text].length
  return length >= least && length <= most
}

interface Parsed {
  readonly alternatives: readonly AST.Alternative[]
  readonly flags: string
}

function parse(pattern: string): Parsed | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined
  for (const flags of ['u', '']) {
    try {
      const options = { unicode: flags === 'u' }
      return { ...new RegExpParser().parsePattern(pattern, 0, pattern.length, options), flags }
    } catch {
      // Not a regular expression with these flags.
    }
  }
  return undefined
}

/** The characters of each class in an expression, as far as they are known yet. */
type Members = Map<AST.Element, readonly string[]>

class Writer {
  readonly #repeats: number
  readonly #isExact: boolean
  readonly #means: Means
  readonly #members: Members
  readonly #groups = new Map<AST.CapturingGroup, string>()
  #flags = ''
  #steps = MOST_STEPS
  #text = ''

  /**
   * @param repeats how often something is repeated beyond what it must be
   * @param isExact whether always as often, rather than up to as often
   */
  constructor(repeats: number, isExact: boolean, means: Means, members: Members) {
    this.#repeats = repeats
    this.#isExact = isExact
    this.#means = means
    this.#members = members
  }

  write({ alternatives, flags }: Parsed): string {
    this.#flags = flags
    this.#oneOf(alternatives)
    return this.#text
  }

  get #isSpent(): boolean {
    this.#steps -= 1
    return this.#steps < 0 || this.#text.length >= LONGEST_TEXT || !this.#means.spend(1)
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#means.float() * items.length)]
  }

  #oneOf(alternatives: readonly AST.Alternative[]): void {
    for (const element of this.#pick(alternatives)?.elements ?? []) this.#element(element)
  }

  #element(element: AST.Element): void {
    if (this.#isSpent) return
    if (element.type === 'Quantifier') this.#repeat(element)
    else if (element.type === 'Group') this.#oneOf(element.alternatives)
    else if (element.type === 'CapturingGroup') this.#capture(element)
    else this.#text += this.#atom(element)
  }

  #capture(group: AST.CapturingGroup): void {
    const start = this.#text.length
    this.#oneOf(group.alternatives)
    this.#groups.set(group, this.#text.slice(start))
  }

  #atom(element: AST.Element): string {
    if (element.type === 'Character') return String.fromCodePoint(element.value)
    if (element.type === 'Backreference') {
      const [group] = [element.resolved].flat()
      return (group && this.#groups.get(group)) ?? ''
    }
    if (element.type !== 'CharacterSet' && element.type !== 'CharacterClass') return ''
    return this.#pick(this.#membersOf(element)) ?? ''
  }

  #membersOf(element: AST.CharacterSet | AST.CharacterClass): readonly string[] {
    const known = this.#members.get(element)
    if (known !== undefined) return known
    this.#means.spend(CANDIDATES.length)
    const members = membersOf(element, this.#flags)
    this.#members.set(element, members)
    return members
  }

  #repeat({ min, max, element }: AST.Quantifier): void {
    const more = Math.min(max - min, this.#repeats)
    const count = min + (this.#isExact ? more : Math.floor(this.#means.float() * (more + 1)))
    for (let time = 0; time < count && !this.#isSpent; time++) this.#element(element)
  }
}

/** The candidates that belong to a class. One class on one character is the only thing that is ever run. */
function membersOf(element: AST.CharacterSet | AST.CharacterClass, flags: string): string[] {
  const single = new RegExp(`^${element.raw}$`, flags)
  return [...CANDIDATES, ...endsIn(element)].filter((character) => single.test(character))
}

function endsIn(element: AST.CharacterSet | AST.CharacterClass): string[] {
  if (element.type === 'CharacterSet') return []
  return element.elements.flatMap((part) => {
    if (part.type === 'Character') return [String.fromCodePoint(part.value)]
    if (part.type !== 'CharacterClassRange') return []
    return [part.min, part.max].map(({ value }) => String.fromCodePoint(value))
  })
}
