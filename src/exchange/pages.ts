import { yieldToEventLoop } from '../engine/awaitable.js'
import { jsonText, type Reply } from './exchange.js'
import { invalid } from './problem.js'

/**
 * The value of a query parameter that must be a whole number.
 * @throws Problem 400 with the parameter
 */
export function numberIn(
  query: URLSearchParams,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const value = query.get(name)
  if (value === null) return bounds.default
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= bounds.min && number <= bounds.max) return number
  throw invalid('query parameter', name, value, `a whole number from ${bounds.min} to ${bounds.max}`)
}

/**
 * The value of a query parameter that must be one of some words; undefined if it is missing.
 * @throws Problem 400 with the parameter
 */
export function wordIn<const Words extends readonly string[]>(
  query: URLSearchParams,
  name: string,
  words: Words,
): Words[number] | undefined {
  const value = query.get(name)
  if (value === null || words.includes(value)) return value ?? undefined
  throw invalid('query parameter', name, value, `one of ${words.join(', ')}`)
}

/** A page ends early once its JSON exceeds this length, in characters. */
const LONGEST_PAGE = 4_000_000

/** Serialization yields to the event loop after this many characters. */
const CHARACTERS_PER_TURN = 200_000

/** The items of a page, and how to serialize them. */
interface PageSource<Item> {
  readonly items: readonly Item[]
  /** Whether more items follow the last one. */
  readonly hasMore: boolean
  /** Serializes an item as JSON. */
  readonly textOf: (item: Item) => string
  /** The cursor of an item. */
  readonly cursorOf: (item: Item) => string
  /** The number of items to serialize before yielding to the event loop; 100 by default. */
  readonly itemsPerTurn?: number
}

/** A page and its reply. */
interface PageReply<Item> {
  readonly reply: Reply
  /** The items that fit into the page. */
  readonly items: readonly Item[]
  readonly nextCursor: string | undefined
}

/**
 * Answers with a page of a list. A page of large items ends before the requested limit, with `has_more`: a hundred
 * tasks with inputs of 10 MB would exceed the longest possible string.
 * @param more further fields, after the others
 */
export async function pageReply<Item>(source: PageSource<Item>, more: object = {}): Promise<PageReply<Item>> {
  const { texts, items, nextCursor } = await pageTexts(source)
  const rest = JSON.stringify({
    has_more: nextCursor !== undefined,
    next_cursor: nextCursor ?? null,
    ...more,
  })
  const reply = jsonText(200, `{"data":[${texts.join(',')}],${rest.slice(1)}`)
  return { reply, items, nextCursor }
}

/** The items that fit into a page, and their texts. */
export async function pageTexts<Item>(
  source: PageSource<Item>,
): Promise<Omit<PageReply<Item>, 'reply'> & { readonly texts: readonly string[] }> {
  const texts = await textsOf(source)
  const items = source.items.slice(0, texts.length)
  const last = items.at(-1)
  const isCut = items.length < source.items.length
  const nextCursor = last !== undefined && (source.hasMore || isCut) ? source.cursorOf(last) : undefined
  return { texts, items, nextCursor }
}

/**
 * Serializes items, and yields to the event loop from time to time.
 * @param longest ends after the item that exceeds this number of characters in total
 */
export async function textsOf<Item>(
  { items, textOf, itemsPerTurn = 100 }: Pick<PageSource<Item>, 'items' | 'textOf' | 'itemsPerTurn'>,
  longest = LONGEST_PAGE,
): Promise<string[]> {
  const texts: string[] = []
  let length = 0
  let turns = 0
  for (const item of items) {
    if (length > longest) break
    if (texts.length > 0 && texts.length % itemsPerTurn === 0) await yieldToEventLoop()
    const text = textOf(item)
    length += text.length
    texts.push(text)
    if (length > (turns + 1) * CHARACTERS_PER_TURN) {
      turns = Math.floor(length / CHARACTERS_PER_TURN)
      await yieldToEventLoop()
    }
  }
  return texts
}
