import {
  type Context,
  createTraceState,
  INVALID_SPANID,
  INVALID_TRACEID,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { TraceContext } from '../engine/tracing.js'

/** The headers of W3C Trace Context. */
export interface TraceHeaders {
  readonly traceparent: string | undefined
  readonly tracestate?: string | undefined
}

/** `version-traceid-spanid-flags`. A later version than 00 may have further fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Longer values need not be passed on. */
const LONGEST_STATE = 512

/** Reads the headers. @returns undefined if they describe no place in a trace */
export function readTraceContext({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
  const [, version, traceId = INVALID_TRACEID, spanId = INVALID_SPANID, flags = '00', more] =
    TRACEPARENT.exec(traceparent ?? '') ?? []
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  // Later versions may define flags that a span of version 00 must not have.
  const context = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  }
  if (!isSpanContextValid(context)) return undefined
  if (tracestate === undefined || tracestate === '' || tracestate.length > LONGEST_STATE) return context
  return { ...context, traceState: createTraceState(tracestate) }
}

/** Writes the headers. @returns undefined if the context is invalid, as that of a tracer that does nothing */
export function writeTraceContext(context: SpanContext): TraceContext | undefined {
  if (!isSpanContextValid(context)) return undefined
  const { traceId, spanId, traceFlags, traceState } = context
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`
  const tracestate = traceState?.serialize()
  return tracestate ? { traceparent, tracestate } : { traceparent }
}

/** The place of a task in a trace; undefined if the task is not traced. */
export function spanContextOf(kept: TraceContext | undefined): SpanContext | undefined {
  return kept === undefined ? undefined : readTraceContext(kept)
}

/** The context of the further spans of a task; undefined if the task is not traced. */
export function contextOf(kept: TraceContext | undefined): Context | undefined {
  const parent = spanContextOf(kept)
  return parent && withSpanContext(parent)
}

/** The context of the spans below a span. */
export function withSpanContext(parent: SpanContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}
