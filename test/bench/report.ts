import { availableParallelism } from 'node:os'
import { type Figure, isMet, type Target, type Unit } from './figure.js'

const HEADINGS = ['name', 'figure', 'target', 'lowest to highest', ''] as const

/** Returns the figures as a table. */
export function table(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(row)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const [headings = '', ...rest] = lines
  return [headings, widths.map((width) => '-'.repeat(width)).join('  '), ...rest, ''].join('\n')
}

/** Returns the figures as JSON, with a description of the machine. */
export function record(figures: readonly Figure[]): string {
  const { version, platform, arch } = process
  return `${JSON.stringify({
    node: version,
    platform: `${platform}-${arch}`,
    cpus: availableParallelism(),
    figures: figures.map((figure) => ({ ...figure, met: isMet(figure) })),
  })}\n`
}

function row(figure: Figure): string[] {
  const { name, value, unit, target, spread } = figure
  return [
    name,
    amount(value, unit),
    target === undefined ? '' : bound(target, unit),
    spread === undefined ? '' : spread.map((end) => amount(end, unit)).join(' to '),
    { true: 'met', false: 'MISSED', undefined: '' }[String(isMet(figure))] ?? '',
  ]
}

function bound(target: Target, unit: Unit): string {
  if ('atLeast' in target) return `>= ${amount(target.atLeast, unit)}`
  return 'atMost' in target ? `<= ${amount(target.atMost, unit)}` : `< ${amount(target.below, unit)}`
}

function amount(value: number, unit: Unit): string {
  if (unit === 'x') return value.toFixed(2)
  return `${value.toFixed(unit === 'us' ? 1 : 0)} ${unit}`
}
