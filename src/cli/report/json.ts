import { verdictShape } from '../../api/control/verdict-shape.js'
import type { Verdict } from '../../core/findings/verdict.js'
import type { ReportContext } from './report-context.js'

/** A verdict as `GET /_sim/findings` gives it, with the name of the scenario. */
export function jsonReport(verdict: Verdict, { scenario }: ReportContext): string {
  return `${JSON.stringify({ scenario, ...verdictShape(verdict) }, null, 2)}\n`
}
