import type { ReportLine } from '../report/report.js'
import type { ProbeContext } from './context.js'

/** Returns the line that explains why probes are missing, if a receiver cannot recognize a forged or changed event. */
export function unsigned({ rule, dialect }: ProbeContext): ReportLine | undefined {
  if (rule === undefined) return line(...UNSIGNED, `the service of the dialect ${dialect.name} does not sign`)
  if (rule.coversBody) return undefined
  return line(...UNCOVERED, `the ${rule.hasSecret ? 'signature' : 'key'} does not depend on the body`)
}

const UNSIGNED = [
  'signature',
  'Forged, changed and recorded events',
  'Anyone who knows the URL can report the end of a task to the app.',
  "Read the task from the service before you act on an event. If the request of a task can choose a header with a key, use one, and pass it with --auth-header 'NAME: VALUE'.",
] as const

const UNCOVERED = [
  'changed',
  'A changed body',
  'Anyone who has seen an event can change it.',
  'Read the task from the service before you act on an event.',
] as const

function line(id: string, title: string, why: string, remedy: string, reason: string): ReportLine {
  return { id, title, mark: 'not_observed', seen: [`skipped: ${reason}`], why, remedy }
}
