/** A place in a trace, as the headers of W3C Trace Context describe it. */
export interface TraceContext {
  /** The ids of the trace and of the span, and the flags. */
  readonly traceparent: string
  /** What the vendors of tracing systems add. */
  readonly tracestate?: string | undefined
}

/** The request that creates a task. */
export interface TracedRequest {
  readonly id: string
  /** When it arrived, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  readonly request: {
    /** @param name in lower case */
    header(name: string): string | undefined
  }
}

/** The webhook whose next attempt begins. */
export interface TracedDelivery {
  readonly id: string
  readonly taskId: string
}

/** Follows tasks and webhooks in traces. */
export interface Tracer {
  /**
   * Starts to trace a new task.
   * @param request the request that creates it; undefined if the program creates it
   * @returns the place in the trace that the task keeps
   */
  beginTask(request?: TracedRequest): TraceContext | undefined
  /**
   * Starts to trace an attempt of a delivery.
   * @returns where the attempt is in the trace; its headers tell that to the receiver
   */
  beginAttempt(delivery: TracedDelivery): TraceContext | undefined
}

/** Holds the tracer of a simulator while its tasks are traced. */
export interface Tracing {
  tracer: Tracer | undefined
}
