import type { DialectTable, ListOperation } from '../../dialects/table/dialect-table.generated.js'
import type { ObjectTable } from '../../dialects/table/tasks/objects.js'
import { always, type DescribedValues } from '../../dialects/table/template/template-schema.js'
import { taskValues } from '../../dialects/table/value-schemas.js'
import { refTo } from '../json-schema.js'

/** The name of the component that describes the tasks of a table. */
export function taskComponent({ object }: ObjectTable): string {
  return object === undefined ? 'Task' : object.charAt(0).toUpperCase() + object.slice(1)
}

/** The name of the component that describes the tasks in a list. */
export function listedComponent(table: DialectTable, { item }: Pick<ListOperation, 'item'>): string {
  return item === undefined ? taskComponent(table) : `Listed${taskComponent(table)}`
}

/** The values in answers about one task. */
export function answerValues(table: DialectTable): DescribedValues {
  return { ...taskValues(table), task: always(refTo(taskComponent(table))) }
}

/** The values in the template of a webhook. */
export function webhookValues(table: DialectTable): DescribedValues {
  return { ...answerValues(table), event: always({ type: 'string' }) }
}
