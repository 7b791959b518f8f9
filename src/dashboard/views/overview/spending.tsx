import { useSignal } from '@preact/signals'
import type { OverviewShape } from '../../../control/shapes.js'
import { dollars, share } from '../../model/format.js'
import { costLines } from '../../model/overview/spending.js'
import { Card } from '../../parts/blocks.js'
import { setter } from '../../parts/hooks.js'
import { Segments } from '../../parts/segments.js'

const GROUPS = [
  { id: 'models', label: 'By model' },
  { id: 'keys', label: 'By key' },
] as const

/** What each model or key costs. */
export function Spending({ spending }: { readonly spending: OverviewShape['spending'] }) {
  const by = useSignal<'models' | 'keys'>('models')
  const { total_usd: total, unassigned_usd: unassigned } = spending
  return (
    <Card
      title="Spend"
      aside={
        <>
          <Segments label="Spend by" choices={GROUPS} chosen={by.value} onChoose={setter(by)} />
          <b class="figure">{dollars(total)}</b>
        </>
      }
    >
      {total === 0 ? (
        <p class="hint">Nothing spent yet. Only tasks that succeed have a cost.</p>
      ) : (
        <table class="cost-legend">
          <thead>
            <tr>
              <th scope="col">{by.value === 'models' ? 'Model' : 'API key'}</th>
              <th scope="col">Share</th>
              <th scope="col">Spend</th>
            </tr>
          </thead>
          <tbody>
            {costLines(spending[by.value], unassigned).map(({ name, usd }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{share(usd, total)}</td>
                <td>{dollars(usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
