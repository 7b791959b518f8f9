import { yieldToEventLoop } from '../engine/yield-to-event-loop.js'
import type { Reply } from './exchange.js'
import { jsonText } from './reply.js'

/** A page that has grown to so many characters of JSON ends early. */
const LONGEST_PAGE = 4_000_000
/** Others have their turn after so many characters. */
const CHARACTERS_A_TURN = 200_000

/** What is to become a page. */
export interface PageSource<Item> {
  readonly items: readonly Item[]
  /** Whether more items follow the last one. */
  readonly hasMore: boolean
  /** Words an item as JSON. */
  readonly textOf: (item: Item) => string
  /** What an item is called as a cursor. */
  readonly cursorOf: (item: Item) => string
  /** How many items are worded between turns of others; 100 unless given. */
  readonly itemsATurn?: number
}

/** A page as it is answered. */
export interface PageReply<Item> {
  readonly reply: Reply
  /** The items that found room in it. */
  readonly items: readonly Item[]
  readonly nextCursor: string | undefined
}

/**
 * Words a page of a list. A page of large items ends before the limit that was asked for, with `has_more`: a hundred
 * tasks with inputs of 10 MB would make an answer that is longer than any string can be.
 * @param more further fields, put behind the others
 */
export async function pageReply<Item>(source: PageSource<Item>, more: object = {}): Promise<PageReply<Item>> {
  const texts = await textsOf(source)
  const items = source.items.slice(0, texts.length)
  const last = items.at(-1)
  const isCut = items.length < source.items.length
  const nextCursor = last !== undefined && (source.hasMore || isCut) ? source.cursorOf(last) : undefined
  const rest = JSON.stringify({
    has_more: nextCursor !== undefined,
    next_cursor: nextCursor ?? null,
    ...more,
  })
  const reply = jsonText(200, `{"data":[${texts.join(',')}],${rest.slice(1)}`)
  return { reply, items, nextCursor }
}

async function textsOf<Item>({ items, textOf, itemsATurn = 100 }: PageSource<Item>): Promise<string[]> {
  const texts: string[] = []
  let length = 0
  let turns = 0
  for (const item of items) {
    if (length > LONGEST_PAGE) break
    if (texts.length > 0 && texts.length % itemsATurn === 0) await yieldToEventLoop()
    const text = textOf(item)
    length += text.length
    texts.push(text)
    if (length > (turns + 1) * CHARACTERS_A_TURN) {
      turns = Math.floor(length / CHARACTERS_A_TURN)
      await yieldToEventLoop()
    }
  }
  return texts
}
