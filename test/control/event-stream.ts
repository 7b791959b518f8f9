import { onTestFinished } from 'vitest'

/** An event of a stream, in the form of a browser event. */
interface ServerEvent {
  readonly id: number
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the data
  readonly data: any
}

/** A reader of a stream of server-sent events. */
export interface EventStream {
  readonly response: Response
  /** Returns the given number of next events. */
  take(count: number): Promise<ServerEvent[]>
  /** Returns the text of the next chunk, including comments; undefined at the end. */
  piece(): Promise<string | undefined>
  /** Disconnects in the middle of the stream. */
  leave(): void
}

/** Opens a stream. The reader disconnects no later than the end of the test. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const going = new AbortController()
  onTestFinished(() => going.abort())
  const response = await fetch(url, { headers, signal: going.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const piece = async () => (await reader?.read())?.value
  return {
    response,
    piece,
    async take(count) {
      const events: ServerEvent[] = []
      while (events.length < count) {
        const end = text.indexOf('\n\n')
        if (end === -1) text += (await piece()) ?? fail()
        else {
          const event = eventOf(text.slice(0, end))
          if (event !== undefined) events.push(event)
          text = text.slice(end + 2)
        }
      }
      return events
    },
    leave: () => going.abort(),
  }
}

function eventOf(text: string): ServerEvent | undefined {
  const fields = new Map(text.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: Number(fields.get('id')), event: fields.get('event') ?? '', data: JSON.parse(data) }
}

function fail(): never {
  throw new Error('The stream has ended')
}
