import { isoTime } from '../../engine/clock/instants.js'
import { maskUrl } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { LONGEST_LOOP, LOOP_TIME } from '../../engine/requests/request-loops.js'
import { maskPatterns } from '../../engine/secret-patterns.js'
import { promptOf } from '../../engine/tasks/input.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Evidence, RuleResult, Unclear } from './finding.js'
import type { FindingContext } from './finding-context.js'
import type { RequestGroup } from './request-groups.js'
import type { WebhookAttempt } from './task-history.js'

const MAX_IDS = 10
const MAX_QUOTED_LENGTH = 100

/**
 * Checks each occasion for a mistake.
 * @param check returns undefined if the client made no mistake
 */
export function collectEvidence<Occasion>(
  occasions: Iterable<Occasion>,
  check: (occasion: Occasion) => Evidence | Unclear | undefined,
): RuleResult {
  const evidence: Evidence[] = []
  let unclear: Unclear | undefined
  let hasOccasion = false
  for (const occasion of occasions) {
    hasOccasion = true
    const found = check(occasion)
    if (found === undefined) continue
    if ('reason' in found) unclear ??= found
    else evidence.push(found)
  }
  if (evidence.length === 0 && unclear !== undefined) return unclear
  return hasOccasion ? evidence : undefined
}

/** Evidence from one or more requests. */
export function requestEvidence(requests: RequestGroup, seen: string): Evidence {
  const [{ at, taskId }] = requests
  return { at, taskId, requestIds: requests.slice(0, MAX_IDS).map(({ id }) => id), seen }
}

/** Evidence from one attempt to deliver a webhook. */
export function webhookEvidence({ delivery, attempt }: WebhookAttempt, seen: string): Evidence {
  return { at: attempt.startedAt, taskId: delivery.taskId, deliveryIds: [delivery.id], seen }
}

/** The method and the path. Omits the query, which may contain a signature. */
export function requestLine({ method, path }: AnsweredRequest): string {
  return `${method} ${shorten(path)}`
}

/** Limits the length of text from the client. */
export function shorten(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}...` : text
}

/** Such as `250 ms`, `3.5 s` or `2 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 100) / 10} s`
  if (milliseconds < 7_200_000) return `${Math.round(milliseconds / 6_000) / 10} min`
  return `${Math.round(milliseconds / 360_000) / 10} h`
}

/** Such as `once`, `twice` or `3 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

const MAX_PROMPT_LENGTH = 60

/** Adds the model and the prompt of its task to an occurrence, by which a reader recognizes the task. */
export function withTask(evidence: Evidence, { historyOf }: Pick<FindingContext, 'historyOf'>): Evidence {
  const task = historyOf(evidence.taskId)?.task
  return task === undefined ? evidence : { ...evidence, model: task.model, prompt: shownPrompt(task) }
}

function shownPrompt({ input }: Task): string | undefined {
  const whole = maskPatterns(promptOf(input)).replace(/https?:\S+/gi, maskUrl)
  const line = whole.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line === '') return undefined
  return line.length > MAX_PROMPT_LENGTH ? `${line.slice(0, MAX_PROMPT_LENGTH)}...` : line
}

/** An occurrence in one line: its time on the simulator's clock, its task, the prompt, and what happened. */
export function evidenceLine({ at, taskId, prompt, seen }: Evidence): string {
  const place = [
    isoTime(at).slice('2026-01-01T'.length, -1),
    ...(taskId === undefined ? [] : [taskId]),
    ...(prompt === undefined ? [] : [JSON.stringify(prompt)]),
  ]
  return `${place.join(' ')}: ${seen}`
}

/**
 * Finds a loop that waits neither on the clock, which stands still, nor in real time.
 * @param requests equal requests of a client
 * @param what the requests in words, such as `polls`
 */
export function findLoop(requests: readonly AnsweredRequest[], what: string): Evidence | undefined {
  let first = 0
  for (const [index, { at, realAt }] of requests.entries()) {
    if (at !== requests[first]?.at) first = index
    const count = index - first + 1
    if (count < LONGEST_LOOP) continue
    const loop = requests.slice(first, index + 1)
    const took = realAt - (requests[first]?.realAt ?? realAt)
    if (took > LOOP_TIME) first += 1
    else
      return requestEvidence(
        loop as [AnsweredRequest, ...AnsweredRequest[]],
        `${count} ${what} came within ${formatDuration(took)} of real time, while the clock stood still: the client does not wait between them. In a test, its sleep function must advance the clock.`,
      )
  }
  return undefined
}
