/** What has become of a request that the page sends to the service. */
export type SentRequest =
  | { readonly state: 'idle' | 'sending' }
  /** There is no answer yet. `known`: the newest task of the model before the request, by its id. */
  | { readonly state: 'held'; readonly known: string | undefined }
  /** The service rejected it, or the answer names no task. */
  | {
      readonly state: 'refused'
      readonly status: number
      readonly reason: string
      readonly requestId: string
    }
  /** There was no answer, or nothing was sent. */
  | { readonly state: 'unsent'; readonly reason: string }

const LONGEST = 400

/** The reason in the body of an error: the first text below a usual name, or the body itself. */
export function reasonIn(body: string): string {
  try {
    return (messageIn(JSON.parse(body)) ?? body).slice(0, LONGEST)
  } catch {
    return body.slice(0, LONGEST)
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return messageIn(value[0])
  const { message, detail, error, msg, title }: Record<string, unknown> = Object(value)
  for (const each of [message, detail, error, msg, title]) {
    const found = each === undefined || each === null ? undefined : messageIn(each)
    if (found !== undefined) return found
  }
  return undefined
}
