import type { Dialect } from '../../dialects/dialect.js'
import { JsonElements, splitElements } from '../history/json-elements.js'
import type { ObservedTask } from '../history/observed-task.js'
import { type OnSkipped, readElement } from '../history/read-element.js'
import { readHarEntry } from './har.js'
import { ObservedTasks } from './observed-tasks.js'

/** Reads the tasks in a HAR file that arrives in pieces: those that its requests create, poll and list. */
export async function* readHar(
  pieces: AsyncIterable<string>,
  dialect: Dialect,
  onSkipped: OnSkipped,
): AsyncGenerator<ObservedTask, void, void> {
  const observed = new ObservedTasks(dialect)
  for await (const element of splitElements(pieces, new JsonElements('entries', 2))) {
    const exchange = readElement(element, readHarEntry, onSkipped)
    if (exchange !== undefined) observed.add(exchange)
  }
  yield* observed.tasks()
}
