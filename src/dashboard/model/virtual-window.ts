/** Which rows of a long list are there to be seen. */
export interface VirtualWindow {
  /** The first row that is drawn. */
  readonly first: number
  /** One past the last row that is drawn. */
  readonly end: number
  /** Where the first one lies, in pixels from the top of the list. */
  readonly offset: number
  /** How tall the whole list is, in pixels. */
  readonly height: number
}

/** Rows that are drawn above and below what is seen, so that a quick scroll meets no gap. */
const SPARE = 6

/** The rows to draw of `count` rows of one height, for a view that is scrolled to `top`. */
export function virtualWindow(
  count: number,
  rowHeight: number,
  top: number,
  viewHeight: number,
): VirtualWindow {
  const highest = Math.max(0, count * rowHeight - viewHeight)
  const from = Math.min(Math.max(0, top), highest)
  const first = Math.max(0, Math.floor(from / rowHeight) - SPARE)
  const end = Math.min(count, Math.ceil((from + viewHeight) / rowHeight) + SPARE)
  return { first, end, offset: first * rowHeight, height: count * rowHeight }
}

/** Where to scroll to so that a row is seen whole; where it is already, nowhere else. */
export function scrollTo(row: number, rowHeight: number, top: number, viewHeight: number): number {
  const above = row * rowHeight
  if (above < top) return above
  return Math.max(top, above + rowHeight - viewHeight)
}
