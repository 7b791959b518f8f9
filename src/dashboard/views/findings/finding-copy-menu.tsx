import type { FindingShape } from '../../../control/shapes.js'
import { CopyMenu } from '../../parts/copy-menu.js'
import { addressOf } from '../../state/route.js'
import { control, recording } from '../../state/session.js'

/** Copies a finding as a link, its id, a test or JSON. */
export function FindingCopyMenu({ finding }: { readonly finding: FindingShape }) {
  const { id } = finding
  const test = { label: 'Vitest test', note: 'to fill in', text: () => control.value.findingTest(id) }
  return (
    <CopyMenu
      of="this finding"
      items={[
        { label: 'Link', text: () => addressOf({ view: 'findings', id }) },
        { label: 'ID', text: id },
        ...(recording.value === undefined ? [test] : []),
        { label: 'JSON', note: 'with its evidence', text: () => JSON.stringify(finding, null, 2) },
      ]}
    />
  )
}
