import { expect, test } from 'vitest'
import { PAGE_VALUES } from '../../src/dialects/table/actions/list-action.js'
import { EVENT_VALUES } from '../../src/dialects/table/actions/streams/stream-events.js'
import { ERROR_VALUES } from '../../src/dialects/table/answers/table-error.js'
import { REQUEST_VALUES } from '../../src/dialects/table/requests/request-values.js'
import { TASK_VALUES } from '../../src/dialects/table/tasks/task-values.js'
import { FILTERS } from '../../src/dialects/table/template/filters.js'
import { SIGNATURE_VALUES } from '../../src/dialects/table/webhooks/sign.js'
import { WEBHOOK_VALUES } from '../../src/dialects/table/webhooks/webhooks.js'
import { readPage } from './pages.js'

const page = readPage('docs/dialect-files.md')
const isMentioned = (word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(page)

test.each(
  Object.entries({
    FILTERS,
    TASK_VALUES,
    REQUEST_VALUES,
    PAGE_VALUES,
    ERROR_VALUES,
    EVENT_VALUES,
    WEBHOOK_VALUES,
    SIGNATURE_VALUES,
  }),
)('the page about dialect files mentions all %s', (_, names) => {
  expect(Object.keys(names).filter((name) => !isMentioned(name))).toEqual([])
})
