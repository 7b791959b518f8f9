import type { Dialect } from '../../dialects/dialect.js'
import { JsonElements, splitElements } from '../history/json-elements.js'
import type { ObservedTask } from '../history/observed-task.js'
import { type OnSkipped, readElement } from '../history/read-element.js'
import type { Traffic } from '../learn/traffic/traffic.js'
import { readHarEntry } from './har.js'
import { ObservedTasks } from './observed-tasks.js'

/**
 * Reads the tasks in a HAR file that arrives in pieces: those that its requests create, poll and list.
 * @param traffic gets all requests
 */
export async function* readHar(
  pieces: AsyncIterable<string>,
  dialect: Dialect,
  onSkipped: OnSkipped,
  traffic?: Traffic,
): AsyncGenerator<ObservedTask, void, void> {
  const observed = new ObservedTasks(dialect)
  for await (const element of splitElements(pieces, new JsonElements('entries', 2))) {
    const exchange = readElement(element, readHarEntry, onSkipped)
    if (exchange === undefined) continue
    observed.add(exchange)
    traffic?.add(exchange)
  }
  yield* observed.tasks()
}
