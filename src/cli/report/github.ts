import type { Finding, Severity } from '../../core/findings/finding.js'
import type { Verdict } from '../../core/findings/verdict.js'
import type { ReportContext } from './report-context.js'

/** What GitHub calls them. */
const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' }

/** A verdict as workflow commands, which GitHub shows as annotations of the run. */
export function githubReport({ findings }: Verdict, { scenario }: ReportContext): string {
  return findings.map((finding) => `${annotation(finding, scenario)}\n`).join('')
}

function annotation(
  { id, severity, title, remedy, why, count, evidence }: Finding,
  scenario: string,
): string {
  const [first] = evidence
  const others = count > 1 ? [`Seen ${count} times.`] : []
  const message = [...(first === undefined ? [] : [first.seen]), ...others, why, remedy].join('\n')
  return `::${COMMANDS[severity]} title=${inProperty(`${title} (${id}, ${scenario})`)}::${inData(message)}`
}

/** As the runner reads what stands after the second `::`. */
function inData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}

/** As the runner reads the value of a property, which a comma or a colon would end. */
function inProperty(text: string): string {
  return inData(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
}
