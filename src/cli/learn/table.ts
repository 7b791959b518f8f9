import { countText } from '../../record/counted.js'
import type { Learned, LearnedBehavior } from '../../record/learn/learn.js'
import { limitSummary, percentText, priceSummary, spreadSummary } from '../../record/scenario/comments.js'
import { colors } from '../output.js'

/** A table of what was learned: a row for each model, and below it what was not learned and why. */
export function toTable({ models, kinds, limits, gaps }: Learned): string {
  const rows = [
    ...models.map((model) => cellsOf(model.name, model)),
    ...kinds.map((kind) => cellsOf(`all ${kind.name} models`, kind)),
  ]
  const header = ['', 'tasks', 'delay', 'failed', 'price']
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => cells[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    colors.bold(line(header)),
    ...rows.map(line),
    ...limits.map(limitSummary),
    ...gaps.map((gap) => colors.yellow(`not learned: ${gap}`)),
    ...gapsOf(models),
  ].join('\n')
}

function cellsOf(name: string, { counts, delay, failures, price }: LearnedBehavior): string[] {
  return [
    name,
    countText(counts.all),
    delay === undefined ? '-' : spreadSummary(delay.spread),
    failures === undefined ? '-' : percentText(failures.rate),
    price === undefined ? '-' : priceSummary(price),
  ]
}

function gapsOf(models: readonly LearnedBehavior[]): string[] {
  return models.flatMap(({ name, gaps }) => gaps.map((gap) => colors.yellow(`${name}: not learned: ${gap}`)))
}
