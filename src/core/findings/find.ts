import type { Case, Finding, FindingRule } from './finding.js'
import { keySentToFileHost } from './key-sent-to-file-host.js'

/** Every rule; one file each. */
const FINDING_RULES: readonly FindingRule[] = [keySentToFileHost]

/** What the client under test did wrong, by what the journal tells; the worst first. */
export function findingsIn(record: Case): Finding[] {
  return FINDING_RULES.flatMap(({ look, ...rule }) => {
    const evidence = look(record)
    return evidence.length === 0 ? [] : [{ ...rule, evidence }]
  })
}
