import { UsageError } from '../../../engine/errors.js'
import { pageNames, readPage } from '../../doc-pages.js'
import { inputOf, type Tool } from './tool.js'

/** The most characters of a page in one answer. */
const MAX_PART = 20_000

export const readDocs: Tool = {
  name: 'read_docs',
  title: 'Read the documentation',
  effect: 'reads',
  description:
    'Read a page of the documentation of tasksim. Without a page, lists all pages. Useful ones: scenarios (the language of scenario files), faults (faults, rate limits, directives), webhooks, findings, testing, troubleshooting.',
  input: inputOf({
    page: { type: 'string', description: 'The name of the page', examples: ['faults'] },
    section: { type: 'string', description: 'Only the section with this heading' },
    offset: { type: 'integer', minimum: 0, description: 'The first character, to continue a long page' },
  }),
  async run({ page, section, offset = 0 }) {
    if (page === undefined) return { pages: await pageNames() }
    if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0)
      throw new UsageError(`\`offset\` must be a whole number from 0 up; got ${JSON.stringify(offset)}.`)
    const whole = await readPage(String(page))
    const text = section === undefined ? whole : sectionOf(whole, String(section))
    const end = offset + MAX_PART
    const part = text.slice(offset, end)
    return end < text.length ? `${part}\n\n[Continues: call read_docs with offset ${end}.]` : part
  },
}

/** The text from a heading to the next one of its level or above. @throws UsageError if there is no such heading */
function sectionOf(page: string, wanted: string): string {
  const headings = [...page.matchAll(/^(#+) (.*)$/gm)]
  const plain = (text: string) => text.replaceAll('`', '').trim().toLowerCase()
  const start = headings.findIndex(([, , title = '']) => plain(title) === plain(wanted))
  const found = headings[start]
  if (found === undefined) {
    const titles = headings.map(([, , title]) => title).join(', ')
    throw new UsageError(
      `The page has no section ${JSON.stringify(wanted.slice(0, 100))}. Its sections: ${titles}.`,
    )
  }
  const level = found[1]?.length ?? 0
  const next = headings.slice(start + 1).find(([, marks = '']) => marks.length <= level)
  return page.slice(found.index, next?.index)
}
