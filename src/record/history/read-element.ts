import type { JsonElement } from './json-elements.js'
import { EntryError } from './task-entry.js'

/** An entry of a history that cannot be read. */
export interface SkippedEntry {
  /** The line where it starts, from 1. */
  readonly line: number
  /** What is wrong with it: the field, the value and what was expected. */
  readonly message: string
}

/** Receives each entry that cannot be read; it may throw to stop. */
export type OnSkipped = (entry: SkippedEntry) => void

/** Parses and reads an entry; undefined if it was skipped. */
export function readElement<Entry>(
  { text, line }: JsonElement,
  read: (value: unknown) => Entry,
  onSkipped: OnSkipped,
): Entry | undefined {
  try {
    return read(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) onSkipped({ line, message: `not valid JSON: ${error.message}` })
    else if (error instanceof EntryError) onSkipped({ line, message: error.message })
    else throw error
    return undefined
  }
}
