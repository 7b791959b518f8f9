import * as v from 'valibot'
import { isSupportedInstant } from '../engine/clock/clock-control.js'
import { UsageError } from '../engine/errors.js'
import { OUTCOMES, STATUSES } from '../engine/tasks/task.js'
import type { StateRow } from './state-file.js'

const instant = v.pipe(v.number(), v.check(isSupportedInstant, 'Expected an instant in epoch milliseconds'))
const text = v.string()
const record = v.record(text, v.unknown())
const end = v.union([v.object({ after: v.number() }), v.object({ polls: v.number() })])

const courseSchema = v.object({
  status: v.picklist(STATUSES),
  startedAt: v.optional(instant),
  completedAt: v.optional(instant),
})

/** The fields of a task without which a simulator cannot show it. */
const taskSchema = v.object({
  id: text,
  dialect: text,
  identity: v.number(),
  owner: text,
  model: text,
  kind: text,
  baseKind: text,
  input: record,
  inputBytes: v.number(),
  origin: text,
  createdAt: instant,
  plan: v.object({ outcome: v.picklist(OUTCOMES), queueing: v.number(), end, price: record }),
  course: courseSchema,
})

/** @throws UsageError if a row has no valid task, with its line, or if two rows have the same task */
export function checkTaskRows(rows: readonly StateRow[]): void {
  const lines = new Map<string, number>()
  for (const { space, kind, json, line } of rows) {
    if (kind !== 'task' && kind !== 'course') continue
    const value: unknown = JSON.parse(json)
    const { issues } = v.safeParse(kind === 'task' ? taskSchema : courseSchema, value)
    if (issues !== undefined) throw new UsageError(unusable(line, issues[0]))
    if (kind === 'course') continue
    const id = `${space} ${(value as { id: string }).id}`
    const known = lines.get(id)
    if (known !== undefined)
      throw new UsageError(
        `Line ${line} of the state has the same task as line ${known}. Export the state again.`,
      )
    lines.set(id, line)
  }
}

function unusable(line: number, issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? 'value'
  return `Line ${line} of the state cannot be used: \`${field}\`: ${issue.message}. Correct the line, or export the state again.`
}
