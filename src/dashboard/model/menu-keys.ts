/** The keys that move through items. */
export const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

/**
 * The index of the item of a menu or a timeline that one of the {@link KEYS} leads to.
 * @param current the index of the focused item; -1 if none is focused
 */
export function nextItem(count: number, current: number, key: string): number {
  if (key === 'ArrowDown' || key === 'ArrowRight') return (current + 1) % count
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (current <= 0 ? count : current) - 1
  return key === 'Home' ? 0 : count - 1
}

/** The index of the next item whose label begins with a letter; the current one if there is none. */
export function itemWith(labels: readonly string[], current: number, letter: string): number {
  const order = labels.map((_, step) => (current + 1 + step) % labels.length)
  return order.find((index) => labels[index]?.toLowerCase().startsWith(letter.toLowerCase())) ?? current
}
