import type { FindingShape, VerdictShape } from '../../control/shapes.js'

type Checked = VerdictShape['checked'][number]

type Applied = VerdictShape['applied'][number]

/** Rules about which one text says the same. */
export interface RuleGroup {
  readonly text: string
  readonly ids: readonly string[]
}

/** The rules that do not apply, by reason. */
export function notApplicableIn(checked: readonly Checked[]): RuleGroup[] {
  return groupBy(checked, 'not_applicable', ({ reason = '' }) => reason)
}

/** The rules that were not observed, by what would give the client an occasion for the mistake, or by the reason. */
export function notObservedIn(checked: readonly Checked[]): RuleGroup[] {
  // What provokes a mistake implies that there was no occasion for it.
  return groupBy(checked, 'not_observed', ({ reason = '', provoke = reason }) => provoke)
}

function groupBy(
  checked: readonly Checked[],
  wanted: Checked['state'],
  textOf: (rule: Checked) => string,
): RuleGroup[] {
  const groups = new Map<string, string[]>()
  for (const rule of checked) {
    if (rule.state !== wanted) continue
    const text = textOf(rule)
    groups.set(text, [...(groups.get(text) ?? []), rule.id])
  }
  return [...groups].map(([text, ids]) => ({ text, ids }))
}

/** The rules and faults of the active scenario that never applied. Those of a scenario that it extends serve other tests, too. */
export function neverAppliedIn(applied: readonly Applied[]): Applied[] {
  return applied.filter(({ count, inherited }) => count === 0 && !inherited)
}

/** The tasks with findings, each with the titles of its findings. */
export function titlesByTask(findings: readonly FindingShape[]): ReadonlyMap<string, readonly string[]> {
  const titles = new Map<string, readonly string[]>()
  for (const { title, evidence } of findings)
    for (const id of new Set(evidence.map(({ task_id: task }) => task)))
      if (id !== undefined) titles.set(id, [...(titles.get(id) ?? []), title])
  return titles
}
