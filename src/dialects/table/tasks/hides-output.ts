import type { DialectTable } from '../model/dialect-table.js'
import type { TableOperation } from '../model/operation-table.js'
import type { StreamEvent } from '../model/stream-table.js'
import type { Template } from '../template/template.js'
import { taskTemplates } from './task-template.js'
import { needsOutput } from './task-values.js'

/** Whether only requests for the result of a task show its output, because answers about its state do not. */
export function hidesOutput(table: DialectTable): boolean {
  const showsOutput = (operation: TableOperation) =>
    answersOf(operation)
      .flatMap((answer) => taskTemplates(table, answer))
      .some(({ template }) => needsOutput(template))
  const { operations } = table
  return (
    operations.some((operation) => operation.action === 'result' && showsOutput(operation)) &&
    !operations.some(
      (operation) => (operation.action === 'retrieve' || isStream(operation)) && showsOutput(operation),
    )
  )
}

function isStream({ action }: TableOperation): boolean {
  return action === 'stream' || action === 'parts'
}

/** The templates of the answers of an operation that reads a task; undefined stands for the task. */
function answersOf(operation: TableOperation): (Template | undefined)[] {
  switch (operation.action) {
    case 'retrieve':
      return [operation.answer, ...Object.values(operation.states ?? {}).map((state) => state?.answer)]
    case 'result':
      return [operation.text ?? operation.answer]
    case 'stream':
      return Object.values(operation.events).flatMap((event) => [event].flat().flatMap(dataOf))
    case 'parts':
      return ['{{output}}']
    default:
      return []
  }
}

function dataOf(event: StreamEvent | undefined): Template[] {
  return event === undefined ? [] : [event.data]
}
