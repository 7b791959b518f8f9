import { dollars, duration } from '../format.js'
import { isRefused } from '../requests/request-filter.js'
import type { TaskRecord } from './task-record.js'

/** The facts about a task in the order in which they are compared. */
export const TASK_FACTS: Readonly<Record<string, (record: TaskRecord) => string>> = {
  State: ({ task }) => task.status,
  Error: ({ task }) => task.error?.code ?? '–',
  Planned: ({ task }) => task.plan.outcome,
  Rule: ({ task }) => task.plan.rule ?? '–',
  Model: ({ task }) => task.model,
  Kind: ({ task }) => task.kind,
  Dialect: ({ task }) => task.dialect,
  Key: ({ task }) => task.key,
  Queued: ({ task }) => between(task.created_at, task.started_at),
  Processing: ({ task }) => between(task.started_at, task.completed_at),
  Duration: ({ task }) => between(task.created_at, task.completed_at),
  Cost: ({ task }) => (task.cost_usd === undefined ? '–' : dollars(task.cost_usd)),
  Polls: (record) => count(record, 'tasks.retrieve'),
  Downloads: (record) => count(record, 'files.download'),
  'Refused requests': ({ entries }) =>
    String(entries.filter((entry) => entry.type === 'request' && isRefused(entry)).length),
  Webhooks: ({ deliveries }) => String(deliveries.length),
  'Webhook attempts': ({ deliveries }) =>
    String(deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0)),
}

function between(from: string | undefined, to: string | undefined): string {
  return from === undefined || to === undefined ? '–' : duration(Date.parse(to) - Date.parse(from))
}

function count({ entries }: TaskRecord, operation: string): string {
  return String(entries.filter((entry) => entry.type === 'request' && entry.operation === operation).length)
}
