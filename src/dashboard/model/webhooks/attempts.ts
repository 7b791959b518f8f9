import type { AttemptBriefShape } from '../../../control/shapes.js'
import { prettyJson } from '../format.js'

/** Headers and a body as text. */
interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A header whose value differs; undefined where it is missing. */
interface HeaderChange {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The lines of a text that differ, and the number of equal lines before and after them. */
export interface LineChange {
  readonly above: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly below: number
}

/** What differs between two messages. */
export interface MessageChange {
  readonly headers: readonly HeaderChange[]
  /** Undefined if the bodies are equal. */
  readonly body: LineChange | undefined
}

/** Compares two messages. Bodies with the same JSON are compared as they were sent. */
export function changesBetween(before: Message, after: Message): MessageChange {
  return {
    headers: headerChanges(before.headers, after.headers),
    body: before.body === after.body ? undefined : bodyChange(before.body, after.body),
  }
}

function headerChanges(before: Message['headers'], after: Message['headers']): HeaderChange[] {
  const [old, fresh] = [lowerCased(before), lowerCased(after)]
  const names = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  return names
    .map((name) => ({ name, before: old.get(name), after: fresh.get(name) }))
    .filter((change) => change.before !== change.after)
}

function lowerCased(headers: Message['headers']): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function bodyChange(before: string, after: string): LineChange {
  const [old, fresh] = [prettyJson(before), prettyJson(after)]
  // The same lines: only the whitespace differs.
  return old === fresh ? lineChange(before, after) : lineChange(old, fresh)
}

function lineChange(before: string, after: string): LineChange {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, fresh.length)
  const above = equalUpTo(most, (index) => old[index] === fresh[index])
  const below = equalUpTo(most - above, (index) => old.at(-1 - index) === fresh.at(-1 - index))
  return {
    above,
    removed: old.slice(above, old.length - below),
    added: fresh.slice(above, fresh.length - below),
    below,
  }
}

/** The number of indexes from 0 on for which the test holds. */
function equalUpTo(most: number, test: (index: number) => boolean): number {
  let count = 0
  while (count < most && test(count)) count += 1
  return count
}

/** What a receiver finds out when it verifies the signature of an attempt. */
export const VERDICTS = ['valid', 'forged', 'old_secret', 'too_old', 'unsigned', 'none'] as const

export type Verdict = (typeof VERDICTS)[number]

/** The verdicts as the page shows them. */
export const VERDICT_LABELS: Readonly<Record<Verdict, string>> = {
  valid: 'signature valid',
  forged: 'forged',
  old_secret: 'signed with old secret',
  too_old: 'signed an hour ago',
  unsigned: 'unsigned',
  none: 'service does not sign',
}

const OF_FLAWS: Readonly<Record<string, Verdict>> = {
  missing: 'unsigned',
  empty: 'unsigned',
  previous_secret: 'old_secret',
  old_timestamp: 'too_old',
}

/** @param isSigned whether the service signs its webhooks */
export function verdictOf({ flaw }: Pick<AttemptBriefShape, 'flaw'>, isSigned: boolean): Verdict {
  if (flaw === undefined) return isSigned ? 'valid' : 'none'
  return OF_FLAWS[flaw] ?? 'forged'
}

/** What the receiver answered, such as `204` or `no answer`. */
export function answerOf({ status, error }: Pick<AttemptBriefShape, 'status' | 'error'>): string {
  if (status !== undefined) return String(status)
  return error?.startsWith('no answer') ? 'no answer' : 'not reached'
}

/** Whether the receiver accepted the webhook. */
export function isAccepted({ status = 0 }: Pick<AttemptBriefShape, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** Whether the receiver accepted a webhook that it should have rejected. A receiver may accept an old secret. */
export function isDeceived(attempt: AttemptBriefShape, verdict: Verdict): boolean {
  return isAccepted(attempt) && ['forged', 'unsigned', 'too_old'].includes(verdict)
}
