import { BASE_62, drawWord, type Random } from '../../../engine/random.js'
import type { Dialect } from '../../dialect.js'
import type { DialectTable, Ids } from '../dialect-table.generated.js'
import { allTables, tableOfTask } from './objects.js'

const DEFAULT_LENGTH = 24
const ALPHABETS = {
  base62: BASE_62,
  base36: '0123456789abcdefghijklmnopqrstuvwxyz',
  hex: '0123456789abcdef',
  digits: '0123456789',
} as const
const CLASSES = {
  base62: '[0-9A-Za-z]',
  base36: '[0-9a-z]',
  hex: '[0-9a-f]',
  digits: '[0-9]',
} as const
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'

/** The ids of the tasks that a table describes, of all types. */
export function taskIdsOf(table: DialectTable): Dialect['taskIds'] {
  const [main, ...others] = allTables(table).map(({ ids }) => idsOf(ids))
  if (main === undefined || others.length === 0) return idsOf(table.ids)
  const sources = [main, ...others].map(({ pattern }) => pattern.source)
  return {
    pattern: new RegExp(sources.join('|')),
    draw: (random, extra) => idsOf(tableOfTask(table, { extra }).ids).draw(random),
  }
}

/** The form of an id, and how to draw one. */
export function idsOf({
  prefix = '',
  suffix = '',
  characters,
  length = DEFAULT_LENGTH,
}: Ids): Pick<Dialect['taskIds'], 'pattern'> & { draw(random: Random): string } {
  // A prefix such as `task_` tells ids from other words, so ids of another length get the error of an unknown task.
  const count = /[_-]$/.test(prefix) ? '+' : `{${length}}`
  const middle = characters === 'uuid' ? UUID : CLASSES[characters] + count
  return {
    pattern: new RegExp(`^${escaped(prefix)}${middle}${escaped(suffix)}$`),
    draw(random) {
      const drawn = characters === 'uuid' ? uuid(random) : drawWord(random, length, ALPHABETS[characters])
      // A template would give a chain of strings, which takes more memory.
      return [prefix, drawn, suffix].join('')
    },
  }
}

/** A random UUID, version 4. */
function uuid(random: Random): string {
  const digits = drawWord(random, 32, ALPHABETS.hex)
  const variant = (8 + (Number.parseInt(digits.charAt(16), 16) % 4)).toString(16)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...parts, `${variant}${digits.slice(17, 20)}`, digits.slice(20)].join('-')
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/g, '\\$&')
}
