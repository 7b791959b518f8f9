import type { OperationName } from '../../engine/requests/operations.js'
import type {
  RecordedAnswers,
  RecordedFile,
  RecordedStream,
  RecordedView,
  ShownAnswer,
} from '../../engine/tasks/recorded-answers.js'
import { isTerminal, type Status } from '../../engine/tasks/task.js'
import type { Restore } from './redacted-fields.js'
import { type RecordedBase, rewrite } from './rewrite.js'
import { statusAt, type Timeline, type Trace, type TracedAnswer, type TracedText } from './trace.js'

/** What all tasks of a recording share. */
export interface ReplayContext {
  readonly bases: readonly RecordedBase[]
  /** Whether a URL is one of an operation of the service. */
  isOperation(url: string): boolean
  /** The recorded files, by URL without query and fragment. */
  readonly files: ReadonlyMap<string, RecordedFile>
  /** The key of the hashes of redacted values. */
  readonly salt: string
}

/** What {@link ReplayedTask} needs to know of a task. */
interface ReplayedTaskParts {
  readonly trace: Trace
  readonly timeline: Timeline
  /** The URLs of the output files, in the order of the output. */
  readonly files: readonly string[]
  readonly context: ReplayContext
  readonly endWord: string | undefined
  /** Writes redacted values of the input. */
  readonly restore?: Restore
}

type View = Omit<RecordedView, 'baseOf'> & Partial<Pick<RecordedView, 'baseOf'>>

/** What a service showed of one task, as its client gets it now. */
export class ReplayedTask implements RecordedAnswers {
  readonly id: string
  readonly #trace: Trace
  readonly #timeline: Timeline
  readonly #context: ReplayContext
  readonly #restore: Restore
  /** The URLs of the output files, in the order of the output. */
  readonly #files: readonly string[]
  readonly #fileIndex: ReadonlyMap<string, number>
  /** Where the clients of tasks have found the service, for webhooks. */
  readonly #clients = new WeakMap<object, RecordedView['baseOf']>()

  readonly endWord: string | undefined

  constructor({ trace, timeline, files, context, endWord, restore = (json) => json }: ReplayedTaskParts) {
    this.endWord = endWord
    this.#restore = restore
    this.id = trace.id
    this.#trace = trace
    this.#timeline = timeline
    this.#files = files
    // Files of operations of the service have no URL of their own. An output may name a file several times.
    const own = files.map((url, index) => [url, index] as const).filter(([url]) => !context.isOperation(url))
    this.#fileIndex = new Map(own.reverse())
    this.#context = context
  }

  answer(operation: OperationName, route: string, view: RecordedView): ShownAnswer | undefined {
    this.#clients.set(view.task.plan, view.baseOf)
    const answer = operation === 'tasks.create' ? this.#created(view) : this.#latest(operation, route, view)
    return answer && this.#shown(answer, view)
  }

  listItem(view: RecordedView): string | undefined {
    const item = this.#latestOf(this.#trace.items, view)
    return item && this.#rewrite(item.text, view)
  }

  webhook(event: string, view: Omit<RecordedView, 'baseOf'>): string | undefined {
    const { webhooks } = this.#trace
    const name = JSON.stringify(event)
    const named = webhooks.filter(({ text }) => text.includes(name))
    const webhook = this.#latestOf(named.length > 0 ? named : webhooks, view)
    return webhook && this.#rewrite(webhook.text, view)
  }

  stream(operation: OperationName, route: string, view: RecordedView): RecordedStream | undefined {
    this.#clients.set(view.task.plan, view.baseOf)
    const stream = this.#trace.streams.find((each) => each.operation === operation && each.route === route)
    return (
      stream && {
        contentType: stream.contentType,
        pieces: stream.pieces.map(([at, text]) => [
          view.task.createdAt + at - this.#trace.zero,
          this.#rewrite(text, view),
        ]),
      }
    )
  }

  file(index: number): RecordedFile | undefined {
    return this.#context.files.get(this.#files[index] ?? '')
  }

  #shown({ code, headers, text }: TracedAnswer, view: RecordedView): ShownAnswer {
    const values = Object.entries(headers).map(([name, value]) => [name, this.#rewrite(value, view)])
    return { code, headers: Object.fromEntries(values), text: this.#rewrite(text, view) }
  }

  /** The answer to the create request. One that was held back until the end shows a state that the task may not have. */
  #created(view: RecordedView): TracedAnswer | undefined {
    const { created } = this.#trace
    const isEarly = created?.status !== undefined && isTerminal(created.status)
    return isEarly && created.status !== view.task.status ? undefined : created
  }

  #latest(operation: OperationName, route: string, view: RecordedView): TracedAnswer | undefined {
    const answers = this.#trace.answers.filter((each) => each.operation === operation && each.route === route)
    // Some answers to a cancelation do not show the state that it leads to.
    if (operation === 'tasks.cancel' && view.task.status === 'canceled') return answers[0]
    return this.#latestOf(answers, view)
  }

  /** The last text with the state of the task that was seen at its age, else the first one with that state. */
  #latestOf<Text extends TracedText>(texts: readonly Text[], { task, now }: View): Text | undefined {
    const fitting = texts.filter((text) => this.#statusOf(text) === task.status)
    const age = now - task.createdAt
    return fitting.findLast(({ at }) => at - this.#trace.zero <= age) ?? fitting[0]
  }

  /** Some services have one word for all ends, and only another answer shows which one it was. */
  #statusOf({ status, at }: TracedText): Status {
    if (status === undefined) return statusAt(this.#timeline, at - this.#trace.zero)
    return isTerminal(status) ? (this.#timeline.ended ?? status) : status
  }

  #rewrite(text: string, { task, urlOf, baseOf = this.#clients.get(task.plan) }: View): string {
    const { zero, inputText } = this.#trace
    const rewritten = rewrite(text, {
      shift: task.createdAt - zero,
      zero,
      bases: this.#context.bases,
      files: this.#fileIndex,
      input: inputText,
      baseOf: baseOf ?? (() => task.origin),
      urlOf,
    })
    return this.#restore(task.id === this.id ? rewritten : rewritten.replaceAll(this.id, task.id))
  }
}
