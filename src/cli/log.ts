import type { AnsweredRequest, RefusedRequest } from '../engine/events.js'
import type { Attempt, Delivery } from '../engine/webhooks/delivery.js'
import { maskUrl } from '../engine/webhooks/mask-url.js'
import type { RegisteredReceiver } from '../engine/webhooks/receivers.js'
import type { Simulator } from '../simulator.js'
import { errorText } from './errors.js'
import { colors, print as toStdout } from './output.js'

/** Lines for a person, or objects for a program. */
export type LogFormat = 'text' | 'json'

/** Prints one line for each request and each webhook attempt. */
export function logEvents(sim: Simulator, format: LogFormat, print: (line: string) => void = toStdout): void {
  const { request, refused, attempt, lost, off, trouble } = format === 'json' ? JSON_LINES : TEXT_LINES
  sim.on('request.answered', (answered) => {
    if (!isLooking(answered)) print(request(answered, sim.clock.now()))
  })
  sim.on('request.refused', (rejected) => print(refused(rejected, sim.clock.now())))
  sim.on('delivery.attempted', (delivery, made) => print(attempt(delivery, made, sim.clock.now())))
  sim.on('delivery.opened', (delivery) => {
    if (delivery.state === 'lost') print(lost(delivery, sim.clock.now()))
  })
  sim.on('receiver.switched_off', (receiver) => print(off(receiver, sim.clock.now())))
  sim.on('error', (error) => print(trouble(errorText(error), sim.clock.now())))
}

/** The dashboard asks again and again; whoever only looks changes nothing that a log should tell. */
function isLooking({ method, operation }: AnsweredRequest): boolean {
  return method === 'GET' && operation?.startsWith('sim.') === true
}

/**
 * Tells that a scenario file was saved.
 * @param trouble what is wrong with it, where it cannot be applied
 */
export function scenarioLine(format: LogFormat, path: string, now: number, trouble?: string): string {
  if (trouble !== undefined) return troubleLine(format, path, now, 'broken', trouble)
  if (format === 'json') return record('scenario', now, { path, state: 'reloaded' })
  return colors.green(`scenario ${path} reloaded`)
}

/** Says that a scenario file was deleted while a server runs it. */
export function deletedLine(format: LogFormat, path: string, now: number): string {
  return troubleLine(format, path, now, 'deleted', 'Write the file again to load it.')
}

function troubleLine(format: LogFormat, path: string, now: number, state: string, message: string): string {
  if (format === 'json') return record('scenario', now, { path, state, message })
  const what = state === 'deleted' ? 'was deleted' : 'is broken'
  return colors.red(`scenario ${path} ${what}; the one before stays in force\n${message}`)
}

/** The end of a server: it waits for pending deliveries, or drops those that are left. */
export type Shutdown =
  | { readonly state: 'draining'; readonly pending: number; readonly limit: number }
  | { readonly state: 'ended'; readonly dropped: number; readonly limit: number }

/** Reports how a server ends; the limit is that of the wait, in milliseconds. */
export function shutdownLine(format: LogFormat, now: number, shutdown: Shutdown): string {
  const { limit, ...rest } = shutdown
  if (format === 'json') return record('shutdown', now, { ...rest, limit_ms: limit })
  if (shutdown.state === 'draining')
    return colors.yellow(
      `waiting up to ${duration(limit)} for ${webhooks(shutdown.pending)}; a second signal ends at once`,
    )
  if (shutdown.dropped === 0) return colors.green('all pending webhooks have come to an end')
  const remedy = limit === 0 ? '; --drain 10s waits for them' : ''
  return colors.yellow(`${webhooks(shutdown.dropped)} dropped${remedy}`)
}

function webhooks(count: number): string {
  return `${count} pending webhook${count === 1 ? '' : 's'}`
}

interface Lines {
  request(request: AnsweredRequest, now: number): string
  /** A request that did not reach the API. */
  refused(request: RefusedRequest, now: number): string
  attempt(delivery: Delivery, attempt: Attempt, now: number): string
  /** A webhook that is not sent on purpose. */
  lost(delivery: Delivery, now: number): string
  off(receiver: RegisteredReceiver, now: number): string
  trouble(message: string, now: number): string
}

const TEXT_LINES: Lines = {
  request: ({ method, path, status, taskId, fault, took }, now) =>
    `${timeOfDay(now)} <-- ${method} ${path} ${paintStatus(status)}${taskId === undefined ? '' : ` ${taskId}`} ${duration(took)}${fault === undefined ? '' : colors.yellow(` fault: ${fault}`)}`,
  refused: ({ method, path, status, took, reason }, now) =>
    `${timeOfDay(now)} <-- ${method || '?'} ${path} ${paintStatus(status)} ${duration(took)} ${reason}`,
  attempt: (
    { url, event, taskId, state, rule },
    { number, status, error, took, retryAt, answer: { partial } = {} },
    now,
  ) => {
    const head = status === undefined ? colors.red(error ?? 'failed') : paintStatus(status)
    const answer = partial === undefined ? head : `${head} ${colors.yellow(`(${partial})`)}`
    const tried = `${timeOfDay(now)} --> POST ${maskUrl(url)} ${answer} ${taskId} ${duration(took)} ${event}${faultNote(rule)}`
    if (retryAt !== undefined)
      return `${tried} ${colors.yellow(`attempt ${number}, next in ${duration(retryAt - now)}`)}`
    return state === 'given_up' ? `${tried} ${colors.red(`given up after ${number}`)}` : tried
  },
  lost: ({ url, event, taskId, rule }, now) =>
    `${timeOfDay(now)} --x POST ${maskUrl(url)} ${colors.red('lost')} ${taskId} ${event}${faultNote(rule)}`,
  off: ({ url, off }, now) => `${timeOfDay(now)} ${colors.red('switched off')} ${maskUrl(url)}: ${off}`,
  trouble: (message, now) => `${timeOfDay(now)} ${colors.red('error')} ${message}`,
}

function faultNote(rule: string | undefined): string {
  return rule === undefined ? '' : colors.yellow(` fault: ${rule}`)
}

const JSON_LINES: Lines = {
  request: ({ id, method, path, status, key, taskId, fault, took }, now) =>
    record('request', now, {
      id,
      method,
      path,
      status,
      key: key || undefined,
      task_id: taskId,
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
  off: ({ id, url, off }, now) => record('receiver', now, { id, url: maskUrl(url), off }),
  trouble: (message, now) => record('error', now, { message }),
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}

function record(type: string, now: number, fields: object): string {
  return JSON.stringify({ time: new Date(now).toISOString(), type, ...fields })
}

let second = Number.NaN
let secondText = ''

/** Hours to milliseconds. What stays the same for a second is made once: there may be thousands of lines in it. */
function timeOfDay(now: number): string {
  const current = Math.floor(now / 1_000)
  if (current !== second) {
    second = current
    secondText = new Date(current * 1_000).toISOString().slice(11, 19)
  }
  return colors.dim(`${secondText}.${String(Math.floor(now % 1_000)).padStart(3, '0')}`)
}

function paintStatus(status: number): string {
  if (status === 0) return colors.red('no answer')
  if (status < 300) return colors.green(String(status))
  return (status < 500 ? colors.yellow : colors.red)(String(status))
}

function duration(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${Math.round(milliseconds / 100) / 10}s`
  return `${Math.round(milliseconds * 10) / 10}ms`
}
