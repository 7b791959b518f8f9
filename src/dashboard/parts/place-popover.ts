import { placeBelow } from '../model/menu-place.js'

/** Places an open popover at its button. */
export function placePopover(button: HTMLElement | null, popover: HTMLElement | null): void {
  if (button === null || popover === null) return
  const { innerWidth: width, innerHeight: height } = window
  Object.assign(popover.style, placeBelow(button.getBoundingClientRect(), { width, height }))
}
