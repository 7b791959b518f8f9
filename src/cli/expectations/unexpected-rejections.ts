import { readRejection } from '../../http/exchange/reply.js'
import type { Expectation } from '../../scenario/model/layer.js'
import type { Answered } from './in-process-client.js'

/**
 * Reports create requests that were rejected or whose answer was lost, unless the expectation states the statuses of
 * the `answers` or the number of `tasks`.
 */
export function unexpectedRejections(
  { answers, tasks }: Expectation,
  answered: readonly Answered[],
): string[] {
  const rejected = answered.filter(({ status }) => status === undefined || status >= 400)
  if (rejected.length === 0 || answers !== undefined || tasks !== undefined) return []
  const subject = answered.length === 1 ? 'create request was' : 'create requests were'
  const advice = answered.length === 1 ? 'State' : 'Space them out with `every`, or state'
  return [
    `${rejected.length} of ${answered.length} ${subject} rejected: ${reasons(rejected)}. ${advice} the statuses under \`answers\` or the number of \`tasks\``,
  ]
}

/** Counts the rejections by status and code, each with the message of the first one. */
function reasons(rejected: readonly Answered[]): string {
  const byName = new Map<string, { count: number; message: string }>()
  for (const answered of rejected) {
    const { name, message } = reasonOf(answered)
    const known = byName.get(name)
    byName.set(name, { count: (known?.count ?? 0) + 1, message: known?.message ?? message })
  }
  return [...byName].map(([name, { count, message }]) => `${count} with ${name}${message}`).join(', ')
}

function reasonOf({ status, body }: Answered): { name: string; message: string } {
  if (status === undefined) return { name: 'no response', message: '' }
  const { code, message } = readRejection(body)
  const name = code === undefined ? String(status) : `${status} ${code}`
  return { name, message: message === undefined ? '' : ` ("${message}")` }
}
