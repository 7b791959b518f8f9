import type { Access } from '../assets/outputs.js'
import type { Task } from '../tasks/task.js'
import type { AnswerCause } from './answer-cause.js'
import type { EndedApi } from './ended-api.js'
import type { KeptHeaders } from './headers.js'

/** One answered request. */
export interface AnsweredRequest {
  /** Such as `req_00000003`; the answer has it as `X-Request-Id`. */
  readonly id: string
  /** When it arrived, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  /** When it arrived, in epoch milliseconds on the machine's clock, on which the client sleeps. */
  readonly realAt: number
  /** When it was answered; later than `at` if the answer waited, such as for a fault or the end of a task. */
  readonly answeredAt: number
  /** Such as `POST`. */
  readonly method: string
  /** The path without its query, as the client sent it. */
  readonly path: string
  /** The query without its question mark. */
  readonly query: string
  /** The wire format of the request; undefined if it is for the control API or for a handler of your own. */
  readonly dialect?: string | undefined
  /** The requested operation; undefined if there is none. */
  readonly operation: string | undefined
  /** The status of the response; 0 if a fault prevented it. */
  readonly status: number
  /** False if the response, or a part of it, did not reach the client: a fault prevented it, or the client had left. */
  readonly delivered: boolean
  /** The wait that the response requested with `Retry-After`, in milliseconds. */
  readonly retryAfter: number | undefined
  /** The API key, masked; empty if there was none. */
  readonly key: string
  /** The task that the request created or that its path names; a rejected request may name one that does not exist. */
  readonly taskId: string | undefined
  /** The fault rule that applied. */
  readonly fault: string | undefined
  /** The duration until the response, in milliseconds of real time. */
  readonly took: number
  /** Details from its operation. */
  readonly note: RequestNote
}

/** What is known of a request while it is answered. Do not keep it: it refers to the host. */
export interface RequestContext {
  /** The request itself. */
  readonly request: {
    /** The scheme, host and mount path with which the client reached the API. */
    readonly origin: string
    /** The value of a header, by its name in lower case. */
    header(name: string): string | undefined
  }
  /** The route of its path; undefined if there is none. */
  readonly route:
    | {
        /** Its path with parameters, such as `/api/v1/tasks/{task_id}`. */
        readonly path: string
      }
    | undefined
}

/** An instant on both clocks, in epoch milliseconds. */
export interface Instant {
  /** On the simulator's clock. */
  readonly at: number
  /** On the machine's clock, on which the client sleeps. */
  readonly realAt: number
}

/** What the steps of an exchange note about it, by the step that writes it. */
export interface ExchangeNote {
  // `openExchange`:
  /** The part of its path that has several valid forms, such as `/v1/task`; undefined if it has one form. */
  pathForm?: string | undefined
  /** Whether it had an Authorization header, valid or not. */
  hasAuthorization?: boolean
  /** The ended API to which it belongs: by its path or, which only the operation that creates a task knows, its model. */
  ended?: EndedApi | undefined

  // The readers of bodies:
  /** The body of the request, as text. */
  requestBody?: string
  /** Equal for requests with the same body. */
  bodyHash?: number

  // Operations, about what they answer:
  /** The states of tasks in the answer. A step that replaces the answer replaces them. */
  observed?: readonly Pick<Task, 'id' | 'status'>[] | undefined
  /** For how many milliseconds the answer could wait for the end of the task; undefined if it did not. */
  wait?: number
  /** Whether the answer is a stream, which ends with the task. */
  isStream?: boolean
  /** The value that requests the next page of a list in the query. */
  nextCursor?: string | undefined
  /** Whether the answer contains the output files of its task. */
  hasFiles?: boolean

  // The operation that creates a task:
  /** Fields of the body that the service does not know; undefined if the service may know any field. */
  unknownFields?: readonly string[] | undefined
  /** The fields that the service knows, if there are unknown ones. */
  knownFields?: readonly string[] | undefined
  /** Whether a new task repeats a recorded one, or behaves as learned; undefined without a recording. */
  replay?: 'recorded' | 'learned'

  // Downloads:
  /** The index of the requested output file in its task. */
  file?: number
  /** Whether it requested only a part of a file. */
  isPart?: boolean
  /** Why an output file was refused, whatever status the service answers. */
  refused?: FileRefusal

  // Faults and rejections:
  /** Where the request is in an exploration. */
  place?: string
  /** Why the request got its answer; undefined if its operation answered normally. */
  cause?: AnswerCause | undefined
  /** Whether a fault changed the status or the text of the answer, and not only when it arrived. */
  isAltered?: boolean

  // The journal, about the answer that was sent:
  /** The body of the response, if it is text. */
  responseBody?: string | undefined
  /** The headers of the request and of its answer. */
  headers?: KeptHeaders | undefined
  /**
   * The id of the last request that had arrived when an answer with `Retry-After` was sent: later ones may be its
   * retries. Set only if the timers of the client run on the simulator's clock, where both may have the same time.
   */
  lastArrived?: string
  /** Set if a fault left the request without an answer. */
  unanswered?: {
    /** When the client closed it; undefined while it is open. */
    closed?: Instant
  }
}

/** Details of an answered request. */
export type RequestNote = Readonly<ExchangeNote>

/** Why an output file was refused: its URL had expired or was changed, or the service had deleted the file. */
interface FileRefusal {
  readonly why: Exclude<Access, 'granted'>
  /** When the URL or the file expired, in epoch milliseconds; undefined if that is not known. */
  readonly expiredAt?: number | undefined
}

/** One request for an output file, successful or not. */
export interface Download {
  /** The task of the file. */
  readonly taskId: string
  /** The index of the file in the task. */
  readonly file: number
  /** `GET` or `HEAD`. */
  readonly method: string
  /** 200, 206 or 304 for success; 403 for an invalid or expired URL, 410 for a deleted file. */
  readonly status: number
  /** The number of bytes that were sent. */
  readonly bytes: number
  /** The Range header, if there was one. */
  readonly range: string | undefined
  /** Whether the request had an Authorization header, which a file does not need. */
  readonly withAuthorization: boolean
  /** When it arrived, in epoch milliseconds on the simulator's clock. */
  readonly at: number
}

/** A request that was rejected before it reached the API; the journal and the counts do not contain it. */
export interface RefusedRequest {
  /** Its `X-Request-Id`. */
  readonly id: string
  /** When it arrived, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  /** Empty if it could not be parsed. */
  readonly method: string
  /** Empty if it could not be parsed. */
  readonly path: string
  /** The status of the answer. */
  readonly status: number
  /** The message of the answer. */
  readonly reason: string
  /** Milliseconds of real time until it was answered. */
  readonly took: number
}
