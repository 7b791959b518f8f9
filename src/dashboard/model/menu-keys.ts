/**
 * The index of the item of a menu, or of the choice of a row, that a key leads to.
 * @param labels of all items
 * @param current the index of the focused item; -1 if none is focused
 * @param key an arrow, Home, End, or the first letter of a label
 */
export function nextItem(labels: readonly string[], current: number, key: string): number {
  const count = labels.length
  if (key === 'ArrowDown' || key === 'ArrowRight') return (current + 1) % count
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (current <= 0 ? count : current) - 1
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const order = labels.map((_, step) => (current + 1 + step) % count)
  const letter = key.toLowerCase()
  return order.find((index) => labels[index]?.toLowerCase().startsWith(letter)) ?? current
}
