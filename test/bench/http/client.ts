import { connect, type Socket } from 'node:net'
import { createBody, KEY, POLLS_PER_CREATE } from '../traffic.js'

const HEAD = `Host: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\nAccept: */*\r\n`
const POST = `POST /api/v1/tasks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${createBody(0).length}\r\n\r\n`
const HEAD_END = '\r\n\r\n'
/** The end of the name in any case, and the colon. */
const LENGTH = 'ength: '
const ID_LENGTH = 'task_'.length + 24

/** The behavior of a client, with its callbacks. */
export interface Habits {
  /** How many times it polls each task. */
  readonly polls?: number
  /** Receives the id of each created task. */
  readonly onTask?: (id: string) => void
  /** Receives the duration of a poll in milliseconds. */
  readonly onPoll?: (took: number) => void
  /** Receives the duration of a create request in milliseconds. */
  readonly onCreate?: (took: number) => void
}

/** The number of created tasks, shared by all clients, so that no two create the same task. */
let created = 0

/**
 * One keep-alive connection that repeatedly creates a task and polls it, one request after the other. It reads as
 * little of an answer as possible, so that the server dominates the measurement.
 */
export class Client {
  /** The number of answers so far. */
  answered = 0
  /** Resolves when the last answer has arrived after {@link stop}. Rejects if an answer was not a success. */
  readonly done: Promise<void>
  readonly #socket: Socket
  #stopping = false
  #received = ''
  #task = ''
  #polls = 0
  #sentAt = 0
  #fail: (error: Error) => void = () => {}
  readonly #habits: Habits

  constructor(port: number, habits: Habits = {}) {
    this.#habits = habits
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.done = new Promise((resolve, reject) => {
      this.#fail = reject
      this.#socket.once('error', reject)
      this.#socket.once('close', () => (this.#stopping ? resolve() : reject(new Error('connection lost'))))
    })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (chunk: string) => this.#receive(chunk))
    this.#create()
  }

  /** Stops after the request in progress. */
  stop(): void {
    this.#stopping = true
  }

  #receive(chunk: string): void {
    this.#received = this.#received === '' ? chunk : this.#received + chunk
    const end = this.#received.indexOf(HEAD_END)
    if (end === -1) return
    const start = end + HEAD_END.length
    const length = Number.parseInt(this.#received.slice(this.#received.indexOf(LENGTH) + LENGTH.length), 10)
    if (this.#received.length < start + length) return
    const answer = this.#received
    this.#received = ''
    this.#proceed(answer, start)
  }

  #proceed(answer: string, bodyStart: number): void {
    if (!answer.startsWith('HTTP/1.1 2')) {
      this.#fail(new Error(`Expected a success, got: ${answer.slice(0, 500)}`))
      this.#socket.destroy()
      return
    }
    this.answered += 1
    if (this.#polls > 0) this.#habits.onPoll?.(performance.now() - this.#sentAt)
    else this.#created(answer.substr(answer.indexOf('task_', bodyStart), ID_LENGTH))
    if (this.#stopping) this.#socket.end()
    else if (this.#polls === (this.#habits.polls ?? POLLS_PER_CREATE)) this.#create()
    else this.#poll()
  }

  #created(task: string): void {
    this.#task = task
    this.#habits.onCreate?.(performance.now() - this.#sentAt)
    this.#habits.onTask?.(task)
  }

  #create(): void {
    this.#polls = 0
    if (this.#habits.onCreate !== undefined) this.#sentAt = performance.now()
    this.#socket.write(POST + createBody(created++), 'latin1')
  }

  #poll(): void {
    this.#polls += 1
    if (this.#habits.onPoll !== undefined) this.#sentAt = performance.now()
    this.#socket.write(`GET /api/v1/tasks/${this.#task} HTTP/1.1\r\n${HEAD}\r\n`, 'latin1')
  }
}
