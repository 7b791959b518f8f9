import Queue from 'yocto-queue'

/**
 * Collects items and handles them together. Each stage of answering requests uses other code and other data, which the
 * processor must load again if the stages alternate: with several clients, a request costs a quarter more then.
 * @param defer calls a function soon, when more items may have arrived
 * @returns the function that adds an item
 */
export function batched<Item extends object>(
  defer: (run: () => void) => void,
  handle: (item: Item) => void,
): (item: Item) => void {
  const items = new Queue<Item>()
  const handleAll = () => {
    try {
      for (let item = items.dequeue(); item !== undefined; item = items.dequeue()) handle(item)
    } finally {
      // An error must not affect the other items.
      if (items.size > 0) defer(handleAll)
    }
  }
  return (item) => {
    items.enqueue(item)
    if (items.size === 1) defer(handleAll)
  }
}
