import { counted } from '../../engine/counted.js'
import { escapedXml } from '../../inspect/escaped-text.js'
import { type ExplorationReport, type Problem, RUN_RESULTS, type RunCell } from '../report.js'
import type { TimelineEntry } from '../run.js'
import { STYLE } from './html-style.js'
import { isSingle, type Matrix, matricesOf } from './matrix.js'
import {
  baselineOf,
  causeOf,
  type MarkedRun,
  markedRuns,
  meaningOf,
  remarksOf,
  SIGNS,
  summaryOf,
} from './results.js'

/**
 * Formats a report as one HTML page that needs no other file, no network and no JavaScript.
 * @param live a report that still grows: all runs that are known, and the path of the script that keeps the page up to
 * date
 */
export function toHtml(report: ExplorationReport, live?: LiveReport): string {
  const title = `tasksim explore ${report.command.join(' ')}`
  const runs = markedRuns(report)
  const remarks = remarksOf(report).map((remark) => `<li>${escaped(remark)}</li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}</style>${live === undefined ? '' : `\n<script type="module" src="${live.script}"></script>`}
</head>
<body>
<header>
<h1>tasksim explore</h1>
<p><code>${escaped(report.command.join(' '))}</code></p>
<p class="summary ${worstOf(report)}">${escaped(summaryOf(report))}</p>
<p class="dim">${escaped(baselineOf(report))}</p>${live === undefined ? '' : `\n${progressOf(runs, live)}`}
</header>
<main>
${section('Problems', report.problems.map(problemCard).join('\n'))}
${section('Places and deviations', matrixTables(runs, live?.known ?? runs))}
${section('Remarks', remarks.length === 0 ? '' : `<ul>${remarks.join('')}</ul>`)}
${section('Runs', runs.map(runDetails).join('\n'))}
</main>
</body>
</html>
`
}

/** A report that still grows. */
export interface LiveReport {
  readonly known: readonly RunCell[]
  readonly script: string
}

function progressOf(runs: readonly MarkedRun[], { known }: LiveReport): string {
  const text =
    runs.length < known.length ? `${runs.length} of ${known.length} runs have ended.` : 'All runs have ended.'
  return `<p role="status">${text}</p>`
}

/** Stays the same while further runs end. */
function anchorOf(id: string): string {
  return `run-${id.replace(/[^\w.+]+/g, '-')}`
}

function worstOf({ summary: { errors, warnings } }: ExplorationReport): string {
  if (errors > 0) return 'error'
  return warnings > 0 ? 'warning' : 'ok'
}

function section(title: string, content: string): string {
  return content === '' ? '' : `<section>\n<h2>${title}</h2>\n${content}\n</section>`
}

function problemCard(problem: Problem): string {
  const { severity, result, what, why, remedy, repeat, runs } = problem
  const links = runs.map((id) => `<a href="#${anchorOf(id)}"><code>${escaped(id)}</code></a>`)
  return `<article class="problem ${severity}">
<h3><b>${result}</b> ${escaped(causeOf(problem))}</h3>
<dl>
<dt>What happened</dt><dd>${escaped(what)}</dd>
<dt>Why it matters</dt><dd>${escaped(why)}</dd>
<dt>Remedy</dt><dd>${escaped(remedy)}</dd>
<dt>Repeat</dt><dd><code class="command">${escaped(repeat)}</code></dd>
<dt>Runs</dt><dd>${links.join(' ')}</dd>
</dl>
</article>`
}

/** @param known all runs in their order, also those that have not ended */
function matrixTables(runs: readonly MarkedRun[], known: readonly RunCell[]): string {
  const ended = new Map(runs.map((run) => [run.id, run]))
  const tables = matricesOf(known.map((each): RunCell | MarkedRun => ended.get(each.id) ?? each)).map(
    matrixTable,
  )
  return tables.length === 0 ? '' : `${legend(runs)}\n${tables.join('\n')}`
}

function legend(runs: readonly MarkedRun[]): string {
  const used = new Set(runs.map(({ result }) => result))
  const entries = [...RUN_RESULTS].reverse().filter((result) => used.has(result))
  const signs = entries.map((result) => {
    const example = runs.find((run) => run.result === result)
    return `<span><i class="cell ${example?.mark ?? 'ok'}">${SIGNS[result]}</i> ${result}: ${escaped(meaningOf(result, runs))}</span>`
  })
  return `<p class="legend">${signs.join('\n')}</p>`
}

function matrixTable({ title, deviations, rows }: Matrix<RunCell | MarkedRun>): string {
  const head = deviations.map((word) => `<th scope="col"><span>${escaped(word)}</span></th>`).join('')
  const lines = rows.map(({ place, runs }) => {
    const cells = deviations.map((word) => matrixCell(runs.get(word)))
    return `<tr><th scope="row"><code>${escaped(place)}</code></th>${cells.join('')}</tr>`
  })
  const longest = Math.max(...deviations.map(({ length }) => length))
  return `<div class="scroll"><table style="--longest: ${longest}">
<thead><tr><th class="title">${escaped(title)}</th>${head}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table></div>`
}

function matrixCell(run: RunCell | MarkedRun | undefined): string {
  if (run === undefined) return '<td></td>'
  if (!('mark' in run)) return `<td><i class="cell waiting" title="${escaped(run.id)}: not run yet"></i></td>`
  const { id, result } = run
  const title = escaped(`${id}: ${result}`)
  return `<td><a class="cell ${run.mark}" href="#${anchorOf(id)}" title="${title}" aria-label="${title}">${SIGNS[result]}</a></td>`
}

/** A run with its timeline. A link to its content opens it. */
function runDetails(run: MarkedRun): string {
  const { id, result, what, because, mark, printed, tasks, cost_usd, ms, status, findings } = run
  const facts = [
    status === undefined ? '' : `Status ${status}.`,
    `${counted(tasks, 'task')}, $${cost_usd}, ${Math.round(ms)} ms.`,
    findings.length === 0 ? '' : `Findings: ${findings.join(', ')}.`,
    mark === 'excused' ? `Accepted${because === undefined ? '' : `: ${because}`}.` : '',
  ]
  const second = isSingle(run) ? '' : ' <span class="dim">two deviations</span>'
  return `<details class="run">
<summary><i class="cell ${run.mark}">${SIGNS[result]}</i> <code>${escaped(id)}</code> ${result}${second}</summary>
<div id="${anchorOf(id)}">
<p>${escaped(what)}</p>
<p class="dim">${escaped(facts.filter((fact) => fact !== '').join(' '))}</p>
${timelineTable(run.timeline)}
${printed.length === 0 ? '' : `<p>Printed, unlike without failures:</p>\n<pre>${printed.map(escaped).join('\n')}</pre>`}
</div>
</details>`
}

function escaped(text: string): string {
  return escapedXml(text.replaceAll(' -> ', ' → '))
}

function timelineTable(timeline: readonly TimelineEntry[]): string {
  if (timeline.length === 0) return ''
  const rows = timeline.map(({ at, text, place, isDeviating }) => {
    const seconds = `${(at / 1_000).toFixed(2)} s`
    return `<tr${isDeviating ? ' class="deviating"' : ''}><td>${seconds}</td><td>${escaped(text)}</td><td class="dim">${escaped(place ?? '')}</td></tr>`
  })
  return `<div class="scroll"><table class="timeline">\n${rows.join('\n')}\n</table></div>`
}
