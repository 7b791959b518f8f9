import type { Case } from '../case.js'
import { times } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { isTrue } from '../story.js'

/** An event that comes twice is processed twice. */
export const processesWebhookTwice: FindingRule = {
  id: 'processes-webhook-twice',
  severity: 'error',
  title: 'A webhook that comes twice is processed twice',
  why: 'Delivery is at least once: a customer is charged, credited or written to for every copy.',
  remedy: 'Remember which task and event were processed, and acknowledge the rest without doing anything.',
  needs: 'webhook.processed',
  look: (record) => {
    const evidence: Evidence[] = []
    let wasTried = false
    for (const [first, count] of processed(record)) {
      const { taskId, at } = first
      wasTried ||= cameTwice(taskId, record)
      if (count > 1)
        evidence.push({ at, taskId, seen: `The test says that it was processed ${times(count)}.` })
    }
    return evidence.length > 0 || wasTried ? evidence : undefined
  },
}

/** Each task that somebody has processed a webhook of, and how often. */
function processed({ observations }: Case): Iterable<[Case['observations'][number], number]> {
  const groups = new Map<string, [Case['observations'][number], number]>()
  for (const observation of observations) {
    if (observation.what !== 'webhook.processed') continue
    const who = `${observation.taskId} ${observation.by ?? ''}`
    const [first, count] = groups.get(who) ?? [observation, 0]
    groups.set(who, [first, count + 1])
  }
  return groups.values()
}

/** Whether one receiver got the genuine event of a task more than once. */
function cameTwice(taskId: string, { stories }: Case): boolean {
  const urls = (stories.get(taskId)?.sent ?? [])
    .filter(({ attempt }) => isTrue(attempt) && attempt.status !== undefined)
    .map(({ delivery }) => `${delivery.event} ${delivery.url}`)
  return new Set(urls).size < urls.length
}
