import type { Case } from '../case.js'
import { judge } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { isGivenUp } from '../polling/gives-up-after-failed-poll.js'
import { isAccepted, learned, type Story } from '../story.js'
import { isUndeliverable } from './undeliverable.js'

/** A webhook was lost, and nobody has asked for the task instead. */
export const reliesOnWebhookAlone: FindingRule = {
  id: 'relies-on-webhook-alone',
  severity: 'error',
  title: 'A lost webhook is a lost result',
  why: 'Webhooks get lost when a receiver is deployed, or a network fails. Nobody notices a message that is not there.',
  remedy: 'Poll tasks whose webhook has not come in good time, or look through the list now and then.',
  look: (record) =>
    judge(unannounced(record), (story) => {
      const { task, sent } = story
      const at = task?.completedAt ?? record.now
      const isOpen = [...story.deliveries.values()].some(({ state }) => state === 'pending')
      const wasFooled = sent.some(({ attempt }) => isAccepted(attempt))
      if (isOpen || wasFooled || !record.isQuietSince(at) || learned(story) || isGivenUp(story, record))
        return undefined
      const lost = [...story.deliveries.values()].filter(isUndeliverable).map(({ id }) => id)
      return {
        at,
        taskId: story.id,
        deliveryIds: lost,
        seen: `It has ${task?.status}; its webhook was lost, and nobody asked.`,
      }
    }),
}

function* unannounced({ stories }: Case): Iterable<Story> {
  for (const story of stories.values()) {
    const isLost = [...story.deliveries.values()].some(isUndeliverable)
    if (isLost && story.task?.completedAt !== undefined) yield story
  }
}
