import { signal } from '@preact/signals'
import type { EntryShape } from '../../control/shapes.js'
import { type Change, changeIn } from '../model/changes.js'
import { control } from './session.js'

/** More would hide the items of a list. */
const MOST = 500

/** The latest changes of the scenario and of the clock, oldest first. */
export const changes = signal<readonly Change[]>([])

/** Adds the changes that entries of the journal report. */
export function addChanges(entries: readonly EntryShape[]): void {
  const last = changes.peek().at(-1)?.number ?? 0
  const found = entries.flatMap((entry) => (entry.number > last ? (changeIn(entry) ?? []) : []))
  if (found.length > 0) changes.value = [...changes.peek(), ...found].slice(-MOST)
}

/** Reads the changes from before the page was opened. */
export async function loadChanges(): Promise<readonly EntryShape[]> {
  return (await control.peek().journal.list({ type: 'control', limit: MOST })).data.toReversed()
}
