import { type Assertion, PatternError, type PatternNode } from './parse-pattern.js'

/** One step of a search: reads a character, checks a position, continues at two instructions, or accepts. */
type Instruction =
  | { readonly type: 'read'; readonly raw: string; readonly next: number }
  | { readonly type: 'check'; readonly of: Assertion; readonly next: number }
  | { readonly type: 'fork'; readonly next: number; other: number }
  | { readonly type: 'found' }

/** A pattern as a list of instructions, which refer to each other by index. */
export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
}

/** The number of instructions limits the work per character of a text. */
const MAX_INSTRUCTIONS = 5_000

/** @throws PatternError if the pattern is too large after the expansion of its repeats */
export function compileProgram(pattern: PatternNode): Program {
  const writer = new ProgramWriter()
  const start = writer.write(pattern, writer.add({ type: 'found' }))
  return { instructions: writer.instructions, start }
}

/** Writes a pattern from its end to its start, because each instruction needs the index of the next one. */
class ProgramWriter {
  readonly instructions: Instruction[] = []
  #parts = 0

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1
  }

  /** @returns the index of the first instruction */
  write(part: PatternNode, next: number): number {
    this.#parts += 1
    if (this.#parts > MAX_INSTRUCTIONS)
      throw new PatternError(
        `the pattern is too large: after the expansion of its repeats, it has more than ${MAX_INSTRUCTIONS} parts; lower the counts in braces`,
      )
    switch (part.type) {
      case 'character':
        return this.add({ type: 'read', raw: part.raw, next })
      case 'assertion':
        return this.add({ type: 'check', of: part.of, next })
      case 'sequence':
        return part.parts.reduceRight((after, inner) => this.write(inner, after), next)
      case 'choice':
        return part.options
          .map((option) => this.write(option, next))
          .reduceRight((other, option) => this.add({ type: 'fork', next: option, other }))
      case 'repeat':
        return this.#repeat(part, next)
    }
  }

  #repeat({ part, min, max }: Extract<PatternNode, { type: 'repeat' }>, next: number): number {
    let start = next
    if (max === Infinity) start = this.#loop(part, next)
    else for (let count = min; count < max; count++) start = this.#optional(part, start, next)
    for (let count = 0; count < min; count++) start = this.write(part, start)
    return start
  }

  #loop(part: PatternNode, next: number): number {
    const fork: Instruction = { type: 'fork', next, other: next }
    const start = this.add(fork)
    fork.other = this.write(part, start)
    return start
  }

  #optional(part: PatternNode, after: number, next: number): number {
    return this.add({ type: 'fork', next: this.write(part, after), other: next })
  }
}
