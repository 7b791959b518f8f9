import type { Post, Transport } from '../../../src/index.js'

/** The reaction of a receiver: a status, a connection error or no answer. */
export type Reaction = number | 'error' | 'silence'

/** The requests of one event at a receiver. */
interface Seen {
  attempts: number
  /** The number of requests that the receiver accepted before they were aborted. */
  accepted: number
  last: Reaction
  readonly bodies: Set<string>
}

/** A receiver whose reaction depends only on the task and the attempt, not on the order of arrival. */
export function unreliableReceiver(reactions: readonly Reaction[]) {
  const topics = new Map<string, Seen>()
  const transport: Transport = async ({ body, signal }) => {
    const text = new TextDecoder().decode(body)
    const { task, event } = JSON.parse(text)
    const topic = `${event} ${task.id}`
    const seen = topics.get(topic) ?? { attempts: 0, accepted: 0, last: 'silence', bodies: new Set() }
    topics.set(topic, seen)
    seen.attempts += 1
    seen.bodies.add(text)
    const reaction = reactions[(sumOf(task.id) + seen.attempts) % reactions.length] ?? 200
    seen.last = 'silence'
    if (SLOW.includes(reaction)) await new Promise((resolve) => setImmediate(resolve))
    if (reaction === 'silence' || signal.aborted) return aborted(signal)
    seen.last = reaction
    if (reaction === 'error') throw new Error('connection lost')
    if (isAccepted(reaction)) seen.accepted += 1
    return { status: reaction }
  }
  return { topics, transport }
}

export function isAccepted(reaction: Reaction): boolean {
  return reaction === 200 || reaction === 204
}

/** Reactions with a delay; the others are immediate. */
const SLOW: readonly Reaction[] = [204, 503]

function aborted(signal: Post['signal']): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

function sumOf(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
  return sum
}
