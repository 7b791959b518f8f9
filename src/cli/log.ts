import { isoTime } from '../engine/clock/instants.js'
import { counted } from '../engine/counted.js'
import { maskUrl } from '../engine/mask.js'
import type { AnsweredRequest } from '../engine/requests/answered-request.js'
import type { Attempt, Delivery } from '../engine/webhooks/deliveries/delivery.js'
import type { Simulator } from '../simulator/simulator.js'
import { errorText } from './errors.js'
import { colors, print as toStdout } from './output.js'

/** The format of log lines. */
export type LogFormat = 'text' | 'json'

/** Prints what happens to a server: each event as a line of JSON, or as text. */
export class ServerLog {
  readonly #sim: Simulator
  readonly #isJson: boolean
  readonly #print: (line: string) => void

  constructor(sim: Simulator, format: LogFormat, print = toStdout) {
    this.#sim = sim
    this.#isJson = format === 'json'
    this.#print = print
  }

  /** Prints an event. Only the form that is printed is computed. */
  event(
    type: string,
    fields: () => object,
    text: (time: string) => string,
    now = this.#sim.clock.now(),
  ): void {
    const time = isoTime(now)
    this.#print(
      this.#isJson
        ? JSON.stringify({ time, type, ...fields() })
        : text(colors.dim(time.slice('2026-01-01T'.length, -1))),
    )
  }

  /** Prints an event for each request and each webhook attempt from now on. */
  follow(): void {
    const sim = this.#sim
    sim.on('request.answered', (request, context) => {
      if (!isRead(request)) this.#request(request, context?.request.origin ?? '')
    })
    sim.on('request.refused', ({ id, method, path, status, reason, took }) =>
      this.event(
        'refused',
        () => ({ id, method, path, status, message: reason, took_ms: rounded(took) }),
        (time) => `${time} <-- ${method || '?'} ${path} ${paintStatus(status)} ${duration(took)} ${reason}`,
      ),
    )
    sim.on('delivery.attempted', (delivery, attempt) => this.#attempt(delivery, attempt))
    sim.on('delivery.opened', ({ id, event, taskId, state, rule, url: whole }) => {
      if (state !== 'lost') return
      const url = maskUrl(whole)
      this.event(
        'webhook',
        () => ({ id, url, event, task_id: taskId, fault: rule, state }),
        (time) => `${time} --x POST ${url} ${colors.red('lost')} ${taskId} ${event}${faultNote(rule)}`,
      )
    })
    sim.on('receiver.switched_off', ({ id, url, off }) =>
      this.event(
        'receiver',
        () => ({ id, url: maskUrl(url), off }),
        (time) => `${time} ${colors.red('disabled')} ${maskUrl(url)}: ${off}`,
      ),
    )
    sim.on('error', (error) =>
      this.event(
        'error',
        () => ({ message: errorText(error) }),
        (time) => `${time} ${colors.red('error')} ${errorText(error)}`,
      ),
    )
  }

  #attempt({ id, event, taskId, state, rule, url: whole }: Delivery, attempt: Attempt): void {
    const { number, status, error, took, retryAt, answer: { partial } = {} } = attempt
    const url = maskUrl(whole)
    this.event(
      'webhook',
      () => ({
        ...{ id, method: 'POST', url, event, task_id: taskId, fault: rule },
        ...{ attempt: number, status, error, partial, state, took_ms: rounded(took) },
        retry_at: isoTime(retryAt),
      }),
      (time) => {
        const result = status === undefined ? colors.red(error ?? 'failed') : paintStatus(status)
        const answer = partial === undefined ? result : `${result} ${colors.yellow(`(${partial})`)}`
        const line = `${time} --> POST ${url} ${answer} ${taskId} ${duration(took)} ${event}${faultNote(rule)}`
        if (retryAt !== undefined)
          return `${line} ${colors.yellow(`attempt ${number}, retry in ${duration(retryAt - this.#sim.clock.now())}`)}`
        if (state !== 'given_up') return line
        return `${line} ${colors.red(`delivery failed after ${counted(number, 'attempt')}`)}`
      },
    )
  }

  /** @param origin what the client called; that of a service if the request was intercepted */
  #request(request: AnsweredRequest, origin: string): void {
    const { id, answeredAt, method, path, status, key, taskId, fault, took, note } = request
    const host = origin.startsWith('https:') ? new URL(origin).host : undefined
    this.event(
      'request',
      () => ({
        ...{ id, method, path, host, status, key: key || undefined, task_id: taskId },
        ...{ replay: note.replay, fault, took_ms: rounded(took) },
      }),
      (time) => {
        const task = taskId === undefined ? '' : ` ${taskId}`
        const replay = note.replay === undefined ? '' : ` ${note.replay}`
        const called = host === undefined ? '' : colors.dim(` at ${host}`)
        return `${time} <-- ${method} ${path} ${paintStatus(status)}${task}${called} ${duration(took)}${replay}${faultNote(fault)}`
      },
      answeredAt,
    )
  }
}

/** Whether a request only reads the control API. The dashboard sends many of these requests. */
function isRead({ method, operation }: AnsweredRequest): boolean {
  return method === 'GET' && operation?.startsWith('sim.') === true
}

function faultNote(rule: string | undefined): string {
  return rule === undefined ? '' : colors.yellow(` fault: ${rule}`)
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}

function paintStatus(status: number): string {
  if (status === 0) return colors.red('no response')
  if (status < 300) return colors.green(String(status))
  return (status < 500 ? colors.yellow : colors.red)(String(status))
}

/** A duration for people, such as `1.2s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${Math.round(milliseconds / 100) / 10}s`
  return `${Math.round(milliseconds * 10) / 10}ms`
}
