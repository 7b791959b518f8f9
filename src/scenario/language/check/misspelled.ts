import { nearestWord } from '../../../engine/suggest.js'
import { type Issue, isMissing, isUnknown } from '../schema/forms.js'

/**
 * The field that a name is meant as: a missing one of the same mapping. Both are one mistake.
 * @param missing the missing fields, see {@link missingFields}
 */
export function meantField(issue: Issue, missing: ReadonlySet<string>): string | undefined {
  const meant = nearestWord(String(issue.input), issue.requirement as readonly string[])
  return meant !== undefined && missing.has(keyOf(issue, meant)) ? meant : undefined
}

/** The missing fields among mistakes, for {@link meantField}. */
export function missingFields(issues: readonly Issue[]): ReadonlySet<string> {
  return new Set(issues.filter(isMissing).map((issue) => keyOf(issue)))
}

/** Leaves out the missing fields whose names are misspelled in the same mapping. */
export function withoutMisspelled(issues: readonly Issue[], missing: ReadonlySet<string>): readonly Issue[] {
  if (missing.size === 0) return issues
  const misspelled = new Set<string>()
  for (const issue of issues.filter(isUnknown)) {
    const meant = meantField(issue, missing)
    if (meant !== undefined) misspelled.add(keyOf(issue, meant))
  }
  return issues.filter((issue) => !isMissing(issue) || !misspelled.has(keyOf(issue)))
}

/** Identifies the field of an issue, or another field of the same mapping. */
function keyOf({ path }: Issue, name?: string): string {
  const keys = path?.map(({ key }) => key) ?? []
  return JSON.stringify(name === undefined ? keys : [...keys.slice(0, -1), name])
}
