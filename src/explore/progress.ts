import { systemNow } from '../engine/clock/system-clock.js'
import type { AnsweredRequest, Instant } from '../engine/requests/answered-request.js'
import type { Attempt, Delivery } from '../engine/webhooks/deliveries/delivery.js'
import { isControl } from '../inspect/journal/journal.js'
import type { Simulator } from '../simulator/simulator.js'

/**
 * Knows when the client of a simulator has last made progress: an answer that the client did not have yet about a task,
 * its state or its output; a file; or the first answer of a receiver to an event. Errors, answers without news and
 * redeliveries are no progress.
 */
export class Progress {
  readonly #seen = new Set<string>()
  readonly #stops: readonly (() => void)[]
  #first: number | undefined
  #last: Instant

  /** Reads the journal, and then listens to the simulator. The start counts as progress. */
  constructor(sim: Simulator) {
    this.#last = { at: sim.clock.now(), realAt: systemNow() }
    for (const entry of sim.journal.entries()) {
      if (entry.type === 'request') this.#addRequest(entry.request)
      if (entry.type === 'delivery' && entry.attempt !== undefined)
        this.#addAttempt(entry.delivery, entry.attempt, { at: entry.at, realAt: this.#last.realAt })
    }
    const now = () => ({ at: sim.clock.now(), realAt: systemNow() })
    this.#stops = [
      sim.on('request.answered', (request) => this.#addRequest(request)),
      sim.on('delivery.attempted', (delivery, attempt) => this.#addAttempt(delivery, attempt, now())),
    ]
  }

  /** The time of the last progress, on the clock and in real time; before the first one, that of the start. */
  get last(): Instant {
    return this.#last
  }

  /** From the first request to the last progress, in milliseconds on the clock. */
  get lasted(): number {
    return this.#first === undefined ? 0 : Math.max(0, this.#last.at - this.#first)
  }

  /** Ends the listening. */
  stop(): void {
    for (const stop of this.#stops) stop()
  }

  #addRequest(request: AnsweredRequest): void {
    if (isControl(request)) return
    const { at, answeredAt, realAt, took } = request
    if (this.#first === undefined) {
      this.#first = at
      this.#last = { at, realAt }
    }
    this.#add(newsIn(request), { at: answeredAt, realAt: realAt + took })
  }

  #addAttempt(delivery: Delivery, { status }: Attempt, when: Instant): void {
    if (status !== undefined) this.#add([`delivery ${delivery.copyOf ?? delivery.id}`], when)
  }

  #add(news: readonly string[], when: Instant): void {
    const fresh = news.filter((each) => !this.#seen.has(each))
    for (const each of fresh) this.#seen.add(each)
    if (fresh.length > 0) this.#last = when
  }
}

/** What an answer tells the client; empty for an error, or without anything that may be news. */
function newsIn(request: AnsweredRequest): string[] {
  const { operation, path, status, delivered, taskId, note } = request
  if (!delivered || status < 200 || status >= 400) return []
  if (operation === 'files.download')
    return status < 300 || status === 304 ? [`file ${taskId} ${note.file} ${partIn(request)}`] : []
  const shown = note.observed ?? []
  if (operation === 'tasks.list') return shown.map((task) => `list ${task.id} ${task.status}`)
  if (shown.length > 0)
    return shown.map((task) => `${operation} ${task.id} ${task.status} ${outputIn(request, task.status)}`)
  return note.isAltered ? [] : [`${operation} ${path}`]
}

/** The range of a partial file. */
function partIn({ note }: AnsweredRequest): string {
  return String(note.headers?.masked(({ response }) => response['content-range']) ?? '')
}

/** The output of an ended task, without its URLs, and without the numbers, because an answer may contain the time. */
function outputIn({ note }: AnsweredRequest, status: string): string {
  if (status === 'queued' || status === 'processing') return ''
  return (note.responseBody ?? '').replace(/https?:[^\s"]+/g, '').replace(/\d+/g, '')
}
