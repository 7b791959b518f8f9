import {
  context as activeContext,
  type Context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import type { AnsweredRequest, RequestContext } from '../engine/requests/answered-request.js'
import type { TraceContext, TracedRequest } from '../engine/tracing.js'
import { isOfControl } from '../exchange/exchange.js'
import type { Simulator } from '../simulator/simulator.js'
import {
  addressAttributes,
  instantOf,
  serverAttributes,
  serverError,
  serverSpanName,
  simulatorAttributes,
} from './attributes.js'
import { readTraceContext, spanContextOf, withSpanContext, writeTraceContext } from './trace-context.js'

/** The spans of requests that create tasks, and of requests from clients that send a `traceparent`. */
export class RequestSpans {
  readonly #sim: Simulator
  readonly #tracer: Tracer
  /** Those of create requests that have reached their operation, by request id. */
  readonly #open = new Map<string, Span>()

  constructor(sim: Simulator, tracer: Tracer) {
    this.#sim = sim
    this.#tracer = tracer
  }

  /** Starts the span of a create request. */
  begin(request: TracedRequest): TraceContext | undefined {
    const span = this.#start(request.at, parentOf(request))
    this.#open.set(request.id, span)
    return writeTraceContext(span.spanContext())
  }

  /** Records a span for a task that the program creates without a request. */
  ofProgram(): TraceContext | undefined {
    const startTime = instantOf(this.#sim.clock.now())
    const span = this.#tracer.startSpan('create task', {
      startTime,
      attributes: simulatorAttributes(this.#sim),
    })
    span.end(startTime)
    return writeTraceContext(span.spanContext())
  }

  /** Ends the span of a request. A request without one gets it now, if it is traced. */
  end(request: AnsweredRequest, context: RequestContext | undefined): void {
    const span = this.#open.get(request.id) ?? this.#startAnswered(request, context)
    if (span === undefined) return
    this.#open.delete(request.id)
    span.updateName(serverSpanName(request, context))
    span.setAttributes({
      ...serverAttributes(request, context),
      ...addressAttributes(context?.request.origin ?? ''),
      'url.path': request.path,
      'tasksim.request.id': request.id,
      ...(request.taskId !== undefined && { 'tasksim.task.id': request.taskId }),
    })
    if (serverError(request) !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(instantOf(request.answeredAt))
  }

  #startAnswered(request: AnsweredRequest, context: RequestContext | undefined): Span | undefined {
    if (context === undefined || isOfControl(request.path)) return undefined
    const isTraced = readTraceContext(headersOf(context)) !== undefined
    if (!isTraced && request.operation !== 'tasks.create') return undefined
    const created = spanContextOf(this.#sim.tasks.get(request.taskId ?? '')?.trace)
    return this.#start(request.at, parentOf(context), created === undefined ? [] : [{ context: created }])
  }

  #start(at: number, parent: Context, links: Link[] = []): Span {
    const attributes = simulatorAttributes(this.#sim)
    const options = { kind: SpanKind.SERVER, startTime: instantOf(at), attributes, links }
    // The name follows with the answer.
    return this.#tracer.startSpan('HTTP', options, parent)
  }
}

/** The span of the client, or the active span of this process. */
function parentOf(context: Pick<TracedRequest, 'request'>): Context {
  const parent = readTraceContext(headersOf(context))
  return parent === undefined ? activeContext.active() : withSpanContext(parent)
}

function headersOf({ request }: Pick<TracedRequest, 'request'>) {
  return { traceparent: request.header('traceparent'), tracestate: request.header('tracestate') }
}
