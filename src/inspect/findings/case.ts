import type { AnsweredRequest } from '../../engine/events.js'
import type { Observation } from '../../engine/observation.js'
import type { Attempt, Delivery } from '../../engine/webhooks/delivery.js'
import type { FindingSettings, Thresholds } from '../../scenario/model/findings.js'
import type { Entry } from '../journal/entry.js'
import { type Identical, refusedAndAlike } from './identical.js'
import { type Look, newStory, type Sent, type Story } from './story.js'
import { isEnd, reader } from './told.js'

/** What findings are drawn from. */
export interface CaseFile {
  /** The journal, oldest first. */
  readonly entries: Iterable<Entry>
  /** Epoch milliseconds on the simulator's clock. */
  readonly now: number
  readonly settings: FindingSettings
  /** True where the client will send nothing more, so that what it has not done it never will. */
  readonly final?: boolean | undefined
  /** True where time stands still unless somebody turns it. */
  readonly isManual?: boolean | undefined
}

/** A case with its files in order, so that every rule finds at once what it looks for. */
export interface Case {
  readonly thresholds: Thresholds
  /** Epoch milliseconds. */
  readonly now: number
  /** The requests to the service, in the order in which they came. */
  readonly requests: readonly AnsweredRequest[]
  /** Those that were refused, each with all that are the same. */
  readonly refused: readonly Identical[]
  /** By the id of the task. */
  readonly stories: ReadonlyMap<string, Story>
  readonly sent: readonly Sent[]
  readonly observations: readonly (Observation & { readonly at: number })[]
  /** Whether nothing is expected any more that was to follow an instant. */
  isQuietSince(at: number): boolean
  /** The time between two instants; undefined where the clock stood still, which says nothing of a client. */
  span(from: number, to: number): number | undefined
}

/** Puts a journal in order: in one pass, once for all rules. */
export function openCase({ entries, now, settings, final = false, isManual = false }: CaseFile): Case {
  const { thresholds } = settings
  const files = new Files()
  for (const entry of entries) files.put(entry)
  files.sort()
  return {
    thresholds,
    now,
    requests: files.requests,
    refused: refusedAndAlike(files.requests),
    stories: files.stories,
    sent: files.sent,
    observations: files.observations,
    isQuietSince: (at) => final || now - at > thresholds.silence,
    span: (from, to) => (isManual && from === to ? undefined : to - from),
  }
}

/** The entries of a journal, each where a rule will look for it. */
class Files {
  readonly requests: AnsweredRequest[] = []
  readonly stories = new Map<string, Story>()
  readonly sent: Sent[] = []
  readonly observations: (Observation & { at: number })[] = []

  put(entry: Entry): void {
    switch (entry.type) {
      case 'request':
        if (!entry.request.operation?.startsWith('sim.')) this.#putRequest(entry.request)
        break
      case 'task':
        this.#story(entry.task.id).task = entry.task
        break
      case 'delivery':
        this.#putDelivery(entry.delivery, entry.attempt)
        break
      case 'observation':
        this.observations.push({ ...entry.observation, at: entry.at })
        break
    }
  }

  /** The journal has requests in the order of their answers, which is nearly that in which they came. */
  sort(): void {
    this.requests.sort(byArrival)
    for (const { polls, cancels, downloads } of this.stories.values()) {
      polls.sort((a, b) => byArrival(a.request, b.request))
      cancels.sort((a, b) => byArrival(a.request, b.request))
      downloads.sort(byArrival)
    }
  }

  #story(id: string): Story {
    const known = this.stories.get(id)
    if (known !== undefined) return known
    const story = newStory(id)
    this.stories.set(id, story)
    return story
  }

  #putRequest(request: AnsweredRequest): void {
    this.requests.push(request)
    if (request.operation === 'tasks.list') {
      this.#putList(request)
      return
    }
    const { taskId } = request
    if (taskId === undefined) return
    const [shown] = request.note.shown ?? []
    putInto(this.#story(taskId), { request, told: shown && reader(request)(shown) })
  }

  #putList(request: AnsweredRequest): void {
    const read = reader(request)
    for (const shown of request.note.shown ?? []) {
      const told = read(shown)
      if (told === undefined) continue
      const story = this.#story(shown.id)
      story.listed = { request, told }
      if (isEnd(told)) story.listedEnd ??= story.listed
    }
  }

  #putDelivery(delivery: Delivery, attempt: Attempt | undefined): void {
    const story = this.#story(delivery.taskId)
    story.deliveries.set(delivery.id, delivery)
    if (attempt === undefined) return
    this.sent.push({ delivery, attempt })
    story.sent.push({ delivery, attempt })
  }
}

function putInto(story: Story, look: Look): void {
  switch (look.request.operation) {
    case 'tasks.create':
      story.created = look
      break
    case 'tasks.retrieve':
      story.polls.push(look)
      break
    case 'tasks.cancel':
      story.cancels.push(look)
      break
    case 'files.download':
      story.downloads.push(look.request)
      break
  }
}

function byArrival(a: AnsweredRequest, b: AnsweredRequest): number {
  return a.id < b.id ? -1 : 1
}
