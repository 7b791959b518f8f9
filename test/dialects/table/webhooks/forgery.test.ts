import { expect, it } from 'vitest'
import { BUILT_IN_DIALECTS, MAIN_DIALECT } from '../../../../src/dialects/built-in.js'
import { forge, swaps } from '../../../../src/dialects/table/webhooks/forgery.js'

const tables = [
  MAIN_DIALECT,
  ...(await Promise.all([...BUILT_IN_DIALECTS.values()].map((each) => each.load()))),
]
  .map(({ table }) => table)
  .filter(({ webhook }) => webhook !== undefined)

it.each(tables.map((table) => [table.name, table] as const))(
  'a forged webhook of %s claims another end of the task that the service also announces',
  (_, table) => {
    const { events = {} } = table.webhook ?? {}
    const names = [events.succeeded, events.failed, events.canceled].flatMap((event) => event?.name ?? [])
    for (const name of names) {
      const body = new TextEncoder().encode(JSON.stringify({ event: name }))
      const { event } = JSON.parse(new TextDecoder().decode(forge(body, swaps(table))))
      if (new Set(names).size > 1) expect(names.filter((other) => other !== name)).toContain(event)
      else expect(event).not.toBe(name)
    }
  },
)
