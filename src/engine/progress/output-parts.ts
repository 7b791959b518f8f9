import type { Production } from '../tasks/kinds.js'
import type { Task } from '../tasks/task.js'
import { instantOf, ROUNDING } from './progress-of.js'

/**
 * A part of an output that is ready before the whole output: a file, by its index, or the next piece of a text. `at` is
 * in epoch milliseconds. For a task that ends at a poll, it is the start of the task.
 */
export type OutputPart =
  | { readonly at: number; readonly file: number }
  | { readonly at: number; readonly text: string }

/** The parts of an output, in their order. */
export interface OutputParts {
  readonly files: number
  /** The pieces of the text, which together are the text. */
  readonly pieces: readonly string[]
}

/** Splits the result of a task into parts: its files, or else its text. */
export function partsOf({ result: { files }, text = '' }: Production): OutputParts {
  return { files, pieces: files > 0 ? [] : piecesOf(text) }
}

/** The number of parts. */
export function countOf({ files, pieces }: OutputParts): number {
  return files + pieces.length
}

/** How many of a number of parts are ready: part i of n is ready at (i + 1) / n of the progress. */
export function readyOf(count: number, progress: number): number {
  return Math.min(count, Math.floor((progress + ROUNDING) * count))
}

/** One of the parts, as a client sees it. */
export function partAt(task: Task, parts: OutputParts, index: number): OutputPart {
  const { createdAt, startedAt = createdAt, completedAt = Infinity } = task
  const planned = instantOf(task, (index + 1) / countOf(parts))
  // The last part is ready only at the end.
  const latest = 'polls' in task.plan.end || completedAt === Infinity ? startedAt : completedAt
  const at = Math.min(planned ?? latest, completedAt)
  return parts.files > 0 ? { at, file: index } : { at, text: parts.pieces[index] ?? '' }
}

/** A word with the space before it, as language models write. A long word, or a text without spaces, has several. */
const PIECE = /\s*\S{1,12}/gu

/** The pieces in which a language model writes a text. */
export function piecesOf(text: string): readonly string[] {
  const pieces = text.match(PIECE)
  if (pieces === null) return text === '' ? [] : [text]
  const rest = text.slice(pieces.reduce((length, piece) => length + piece.length, 0))
  const last = pieces.pop() ?? ''
  return [...pieces, last + rest]
}
