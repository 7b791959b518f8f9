import type { FindingShape } from '../../../control/shapes.js'

/** The findings about one task, with only its occurrences. */
export function findingsAbout(findings: readonly FindingShape[], taskId: string): FindingShape[] {
  return findings
    .map((finding) => ({ ...finding, evidence: finding.evidence.filter((each) => each.task_id === taskId) }))
    .filter(({ evidence }) => evidence.length > 0)
}

/** The tasks with findings, each with the titles of its findings. */
export function titlesByTask(findings: readonly FindingShape[]): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, readonly string[]>()
  for (const { title, evidence } of findings)
    for (const id of new Set(evidence.map(({ task_id: task }) => task)))
      if (id !== undefined) titles.set(id, [...(titles.get(id) ?? []), title])
  return titles
}
