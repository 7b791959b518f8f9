/** The rows of a long list to render. */
export interface VirtualWindow {
  /** The first rendered row. */
  readonly first: number
  /** One past the last rendered row. */
  readonly end: number
  /** The position of the first rendered row, in pixels from the top of the list. */
  readonly offset: number
  /** The height of the whole list, in pixels. */
  readonly height: number
}

/** Extra rows above and below the visible ones, for fast scrolling. */
const OVERSCAN = 6

/** Computes the rows to render of `count` rows of equal height, for the scroll position `top`. */
export function virtualWindow(
  count: number,
  rowHeight: number,
  top: number,
  viewHeight: number,
): VirtualWindow {
  const highest = Math.max(0, count * rowHeight - viewHeight)
  const from = Math.min(Math.max(0, top), highest)
  const first = Math.max(0, Math.floor(from / rowHeight) - OVERSCAN)
  const end = Math.min(count, Math.ceil((from + viewHeight) / rowHeight) + OVERSCAN)
  return { first, end, offset: first * rowHeight, height: count * rowHeight }
}

/** The largest number of rows that are rendered at once. */
export function slotCount(rowHeight: number, viewHeight: number): number {
  return Math.ceil(viewHeight / rowHeight) + 1 + 2 * OVERSCAN
}

/** The scroll position at which a row is fully visible; unchanged if it already is. */
export function scrollTo(row: number, rowHeight: number, top: number, viewHeight: number): number {
  const above = row * rowHeight
  if (above < top) return above
  return Math.max(top, above + rowHeight - viewHeight)
}
