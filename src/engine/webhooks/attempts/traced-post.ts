import type { TraceContext } from '../../tracing.js'
import { mergedHeaders } from './merged-headers.js'
import type { Post } from './transport.js'

/** Adds the headers that tell the receiver where a POST is in a trace. */
export function tracedPost(post: Post, trace: TraceContext | undefined): Post {
  if (trace === undefined) return post
  const { traceparent, tracestate } = trace
  const headers = { traceparent, ...(tracestate !== undefined && { tracestate }) }
  return { ...post, headers: mergedHeaders(post.headers, headers) }
}
