import type { Post, Transport } from '../../../src/index.js'

/** How a receiver may react: with a status, with an error on the wire, or not at all. */
export type Mood = number | 'error' | 'silence'

/** What a receiver saw of one event. */
interface Seen {
  attempts: number
  /** How many of them it accepted before they were given up. */
  accepted: number
  last: Mood
  readonly bodies: Set<string>
}

/** A receiver whose reaction depends on the task and the attempt alone, whatever the order of arrival. */
export function moodyReceiver(moods: readonly Mood[]) {
  const topics = new Map<string, Seen>()
  const transport: Transport = async ({ body, signal }) => {
    const text = new TextDecoder().decode(body)
    const { task, event } = JSON.parse(text)
    const topic = `${event} ${task.id}`
    const seen = topics.get(topic) ?? { attempts: 0, accepted: 0, last: 'silence', bodies: new Set() }
    topics.set(topic, seen)
    seen.attempts += 1
    seen.bodies.add(text)
    const mood = moods[(sumOf(task.id) + seen.attempts) % moods.length] ?? 200
    seen.last = 'silence'
    if (SLOW.includes(mood)) await new Promise((resolve) => setImmediate(resolve))
    if (mood === 'silence' || signal.aborted) return aborted(signal)
    seen.last = mood
    if (mood === 'error') throw new Error('connection lost')
    if (isAccepted(mood)) seen.accepted += 1
    return { status: mood }
  }
  return { topics, transport }
}

export function isAccepted(mood: Mood): boolean {
  return mood === 200 || mood === 204
}

/** Answers that take a while; the others come at once. */
const SLOW: readonly Mood[] = [204, 503]

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
