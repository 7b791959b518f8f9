/** The height of a line and the space above the first one in pixels, as in the stylesheet. */
const LINE_HEIGHT = 20
const SPACE = { top: 10, left: 12 }

/** Replaces a part of the text as if it was typed, so that the browser can undo it. */
export function typeInto(area: HTMLTextAreaElement, from: number, to: number, text: string, back = 0): void {
  area.focus()
  area.setSelectionRange(from, to)
  // Deprecated, but every browser supports it, and nothing else keeps the history of the text area.
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, from, to, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const end = area.selectionEnd - back
  area.setSelectionRange(end, end)
}

/** The place of a character in the box of the editor: its line in pixels, and its column in characters. */
export interface CaretPlace {
  readonly top: number
  readonly bottom: number
  /** The left edge of the line, and the number of characters before the position. */
  readonly left: number
  readonly column: number
}

export function placeOf(area: HTMLTextAreaElement, offset: number): CaretPlace {
  const before = area.value.slice(0, offset)
  const line = before.split('\n').length - 1
  const top = area.offsetTop + SPACE.top + line * LINE_HEIGHT - area.scrollTop
  return {
    top,
    bottom: top + LINE_HEIGHT,
    left: area.offsetLeft + SPACE.left - area.scrollLeft,
    column: offset - (before.lastIndexOf('\n') + 1),
  }
}

/** The offset of the character under a pointer; undefined beside the text. */
export function offsetUnder(area: HTMLTextAreaElement, { offsetX, offsetY }: MouseEvent): number | undefined {
  const line = Math.floor((offsetY - SPACE.top + area.scrollTop) / LINE_HEIGHT)
  const column = Math.floor((offsetX - SPACE.left + area.scrollLeft) / characterWidth(area))
  const lines = area.value.split('\n')
  if (column < 0 || column >= (lines[line]?.length ?? 0)) return undefined
  return lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + column
}

let width: number | undefined

function characterWidth(area: HTMLTextAreaElement): number {
  if (width === undefined) {
    const context = document.createElement('canvas').getContext('2d')
    if (context === null) return Infinity
    context.font = getComputedStyle(area).font
    width = context.measureText('0').width
  }
  return width
}
