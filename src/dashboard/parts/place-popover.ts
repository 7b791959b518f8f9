/** Places an open popover at its button. */
export function placePopover(button: HTMLElement | null, popover: HTMLElement | null): void {
  if (button === null || popover === null) return
  const { innerWidth: width, innerHeight: height } = window
  Object.assign(popover.style, placeBelow(button.getBoundingClientRect(), { width, height }))
}

interface Size {
  readonly width: number
  readonly height: number
}

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** The gap between a button and its menu, and between a menu and the edge of the window, in pixels. */
const GAP = 4
const EDGE = 8

/**
 * The place of a menu in the window, as CSS: below its button, or above it where the space is larger, and aligned with
 * the edge of the button that is farther from the edge of the window.
 */
export function placeBelow(button: Box, window: Size): Record<string, string> {
  const below = window.height - button.bottom
  const isBelow = below >= button.top || below > window.height / 2
  const isLeft = button.left < window.width - button.right
  const space = (isBelow ? below : button.top) - GAP - EDGE
  return {
    top: isBelow ? `${button.bottom + GAP}px` : 'auto',
    bottom: isBelow ? 'auto' : `${window.height - button.top + GAP}px`,
    left: isLeft ? `${Math.max(EDGE, button.left)}px` : 'auto',
    right: isLeft ? 'auto' : `${Math.max(EDGE, window.width - button.right)}px`,
    maxHeight: `${space}px`,
  }
}
