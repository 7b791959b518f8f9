import { expect, test } from 'vitest'
import { ERROR_VALUES } from '../../src/dialects/table/answers/table-error.js'
import { EVENT_VALUES } from '../../src/dialects/table/operation-values.js'
import { PAGE_VALUES } from '../../src/dialects/table/page-values.js'
import { REQUEST_VALUES } from '../../src/dialects/table/requests/request-values.js'
import { TASK_VALUES } from '../../src/dialects/table/tasks/task-values.js'
import { FILTERS } from '../../src/dialects/table/template/filters.js'
import { SIGNATURE_VALUES } from '../../src/dialects/table/webhooks/sign.js'
import { WEBHOOK_VALUES } from '../../src/dialects/table/webhooks/webhooks.js'
import { readPage } from './pages.js'

function missingFrom(path: string, words: object): string[] {
  const page = readPage(path)
  return Object.keys(words).filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(page))
}

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
)('the reference of dialect files lists all %s', (_, values) => {
  expect(missingFrom('docs/reference/dialect.md', values)).toEqual([])
})
