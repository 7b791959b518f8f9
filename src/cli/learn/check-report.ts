import type { Checked } from '../../record/check/check.js'
import type { Change } from '../../record/check/difference.js'
import { counted } from '../../record/counted.js'
import { colors } from '../output.js'

/** The result of a check as text: a line for each change, with the figures before and after. */
export function toReport({ tasks, changes, gaps }: Checked, scenario: string, source: string): string {
  const history = `${counted(tasks, 'task')} in ${source}`
  const result =
    changes.length === 0
      ? colors.green(`${scenario} agrees with ${history}.`)
      : colors.red(`${scenario} differs from ${history}:`)
  return [
    result,
    ...changes.map(lineOf),
    ...gaps.map((gap) => colors.yellow(`Not compared: ${gap}`)),
    ...(changes.length === 0 ? [] : ['Learn the scenario again, or find out what has changed.']),
  ].join('\n')
}

function lineOf({ name, what, before, after }: Change): string {
  return `  ${name}: ${what}: was ${before}; is ${after}`
}
