import { readRejection } from '../../http/reply.js'
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
  const requests = answered.length === 1 ? 'create request was' : 'create requests were'
  const space = answered.length === 1 ? 'State' : 'Space them out with `every`, or state'
  return [
    `${rejected.length} of ${answered.length} ${requests} rejected: ${reasons(rejected)}. ${space} the statuses under \`answers\` or the number of \`tasks\``,
  ]
}

/** The different responses with their counts, each with the message of its first one. */
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
