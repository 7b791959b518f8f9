import { isoTime } from '../engine/clock/instants.js'
import type { AnsweredRequest, RefusedRequest } from '../engine/events.js'
import { maskUrl } from '../engine/mask.js'
import type { Attempt, Delivery } from '../engine/webhooks/deliveries/delivery.js'
import type { RegisteredReceiver } from '../engine/webhooks/receivers/receiver.js'
import type { Simulator } from '../simulator/simulator.js'
import { errorText } from './errors.js'
import { colors, print as toStdout } from './output.js'

/** The format of log lines. */
export type LogFormat = 'text' | 'json'

/** Prints a line for each request and each webhook attempt. */
export function logEvents(sim: Simulator, format: LogFormat, print: (line: string) => void = toStdout): void {
  const {
    request,
    refused,
    attempt,
    lost,
    disabled,
    error: describeError,
  } = format === 'json' ? JSON_LINES : TEXT_LINES
  sim.on('request.answered', (answered) => {
    if (!isRead(answered)) print(request(answered))
  })
  sim.on('request.refused', (rejected) => print(refused(rejected, sim.clock.now())))
  sim.on('delivery.attempted', (delivery, made) => print(attempt(delivery, made, sim.clock.now())))
  sim.on('delivery.opened', (delivery) => {
    if (delivery.state === 'lost') print(lost(delivery, sim.clock.now()))
  })
  sim.on('receiver.switched_off', (receiver) => print(disabled(receiver, sim.clock.now())))
  sim.on('error', (error) => print(describeError(errorText(error), sim.clock.now())))
}

/** Whether a request only reads the control API. The dashboard sends many of these requests. */
function isRead({ method, operation }: AnsweredRequest): boolean {
  return method === 'GET' && operation?.startsWith('sim.') === true
}

interface Lines {
  request(request: AnsweredRequest): string
  /** A request that did not reach the API. */
  refused(request: RefusedRequest, now: number): string
  attempt(delivery: Delivery, attempt: Attempt, now: number): string
  /** A webhook that a fault drops. */
  lost(delivery: Delivery, now: number): string
  disabled(receiver: RegisteredReceiver, now: number): string
  error(message: string, now: number): string
}

const TEXT_LINES: Lines = {
  request: ({ answeredAt, method, path, status, taskId, fault, took, note }) =>
    `${timeOfDay(answeredAt)} <-- ${method} ${path} ${paintStatus(status)}${taskId === undefined ? '' : ` ${taskId}`} ${duration(took)}${note.replay === undefined ? '' : ` ${note.replay}`}${fault === undefined ? '' : colors.yellow(` fault: ${fault}`)}`,
  refused: ({ method, path, status, took, reason }, now) =>
    `${timeOfDay(now)} <-- ${method || '?'} ${path} ${paintStatus(status)} ${duration(took)} ${reason}`,
  attempt: (
    { url, event, taskId, state, rule },
    { number, status, error, took, retryAt, answer: { partial } = {} },
    now,
  ) => {
    const result = status === undefined ? colors.red(error ?? 'failed') : paintStatus(status)
    const answer = partial === undefined ? result : `${result} ${colors.yellow(`(${partial})`)}`
    const line = `${timeOfDay(now)} --> POST ${maskUrl(url)} ${answer} ${taskId} ${duration(took)} ${event}${faultNote(rule)}`
    if (retryAt !== undefined)
      return `${line} ${colors.yellow(`attempt ${number}, retry in ${duration(retryAt - now)}`)}`
    return state === 'given_up'
      ? `${line} ${colors.red(`delivery failed after ${number} attempt${number === 1 ? '' : 's'}`)}`
      : line
  },
  lost: ({ url, event, taskId, rule }, now) =>
    `${timeOfDay(now)} --x POST ${maskUrl(url)} ${colors.red('lost')} ${taskId} ${event}${faultNote(rule)}`,
  disabled: ({ url, off }, now) => `${timeOfDay(now)} ${colors.red('disabled')} ${maskUrl(url)}: ${off}`,
  error: (message, now) => `${timeOfDay(now)} ${colors.red('error')} ${message}`,
}

function faultNote(rule: string | undefined): string {
  return rule === undefined ? '' : colors.yellow(` fault: ${rule}`)
}

const JSON_LINES: Lines = {
  request: ({ id, answeredAt, method, path, status, key, taskId, fault, took, note }) =>
    record('request', answeredAt, {
      id,
      method,
      path,
      status,
      key: key || undefined,
      task_id: taskId,
      replay: note.replay,
      fault,
      took_ms: rounded(took),
    }),
  refused: ({ id, method, path, status, reason, took }, now) =>
    record('refused', now, { id, method, path, status, message: reason, took_ms: rounded(took) }),
  attempt: ({ id, url, event, taskId, state, rule }, { number, status, error, took, retryAt, answer }, now) =>
    record('webhook', now, {
      id,
      method: 'POST',
      url: maskUrl(url),
      event,
      task_id: taskId,
      fault: rule,
      attempt: number,
      status,
      error,
      partial: answer?.partial,
      state,
      took_ms: rounded(took),
      retry_at: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
    }),
  lost: ({ id, url, event, taskId, state, rule }, now) =>
    record('webhook', now, { id, url: maskUrl(url), event, task_id: taskId, fault: rule, state }),
  disabled: ({ id, url, off }, now) => record('receiver', now, { id, url: maskUrl(url), off }),
  error: (message, now) => record('error', now, { message }),
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}

/** A line of JSON with the time and the type. */
export function record(type: string, now: number, fields: object): string {
  return JSON.stringify({ time: isoTime(now), type, ...fields })
}

/** Formats the time of day. */
function timeOfDay(now: number): string {
  return colors.dim(isoTime(now).slice(11, -1))
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
