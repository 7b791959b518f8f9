import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PreviewShape } from '../../../control/shapes.js'
import { counted } from '../../../engine/counted.js'
import { dollars, duration, share } from '../../model/format.js'
import { Bars } from '../../parts/bars.js'
import { Card } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { runAction } from '../../state/notifications.js'
import { editedText, isChanged, scenario } from '../../state/scenario.js'
import { control } from '../../state/session.js'

const ORDER = ['succeeded', 'failed', 'canceled', 'stuck']

/** The outcomes, durations and costs that a scenario produces, from a separate simulation. */
export function Preview() {
  const text = isChanged.value ? editedText.value : undefined
  const name = scenario.value?.name
  const samples = useSignal<readonly PreviewShape[] | undefined>(undefined)
  const previewed = useSignal<string | undefined>(undefined)
  const isOutdated = previewed.value !== undefined && previewed.value !== (text ?? name)
  const run = async () => {
    const found = await runAction(() => control.value.scenario.preview(text === undefined ? {} : { text }))
    if (found === undefined) return
    samples.value = found
    previewed.value = text ?? name
  }
  useEffect(() => {
    if (text === undefined && name !== undefined) void run()
  }, [name])
  return (
    <Card
      title="Preview"
      aside={
        <Button icon="play" onPress={run}>
          {text === undefined ? 'Run preview' : 'Preview the draft'}
        </Button>
      }
    >
      {samples.value === undefined && (
        <p class="hint">
          Simulates a few hundred create requests for each model, separately from your tasks.
        </p>
      )}
      {isOutdated && <p class="hint">This preview is from before the last change.</p>}
      {samples.value?.map((sample) => (
        <Sample key={sample.model} sample={sample} />
      ))}
    </Card>
  )
}

function Sample({ sample }: { readonly sample: PreviewShape }) {
  const { model, requests, answers, tasks, outcomes, errors, histogram, excluded } = sample
  const { processing_ms: times, cost_usd: cost, attempts_per_task: attempts } = sample
  const ends = Object.entries(outcomes).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
  const isAnsweredAlike = requests === tasks && Object.keys(answers).length < 2
  const [median, slow] = [duration(times['p50'] ?? 0), duration(times['p95'] ?? 0)]
  return (
    <section class="sample stack" aria-label={model}>
      <h3 class="line">
        {model} <span class="kind">{sample.kind}</span>
      </h3>
      {!isAnsweredAlike && (
        <p class="muted">
          {requests} create requests: {sharesOf(answers, requests)}
        </p>
      )}
      <p class="outcomes">
        {ends.map(([outcome, number]) => (
          <span
            key={outcome}
            class={`state state-${outcome}`}
            title={confidenceInterval(sample.confidence_95.outcomes[outcome])}
          >
            <Icon name={iconFor(outcome)} /> {outcome} {share(number, tasks)}
          </span>
        ))}
      </p>
      {Object.keys(errors).length > 0 && <p class="muted">{sharesOf(errors, tasks)}</p>}
      {histogram.length > 0 && (
        <Bars
          label={`Durations of ${model}`}
          bars={histogram.map(({ from, to, count }) => ({
            name: `${duration(from)} to ${duration(to)}`,
            value: count,
          }))}
          axis={[duration(histogram[0]?.from ?? 0), duration(histogram.at(-1)?.to ?? 0)]}
        />
      )}
      <p class="small">
        {histogram.length > 0 ? `50 % within ${median}, 95 % within ${slow}` : `duration ${median}`} ·{' '}
        {dollars(cost.per_success)} per success ·{' '}
        {counted(Math.round(attempts * 100) / 100, 'webhook attempt')} per task
      </p>
      {excluded.length > 0 && (
        <p class="muted">Not included, because they apply to other requests: {excluded.join(', ')}</p>
      )}
    </section>
  )
}

/** The share of each count, such as `timeout 12.5 %`. */
function sharesOf(counts: Readonly<Record<string, number>>, whole: number): string {
  return Object.entries(counts)
    .map(([name, number]) => `${name} ${share(number, whole)}`)
    .join(', ')
}

function confidenceInterval([low, high]: readonly [number, number] = [0, 1]): string {
  return `95 % confidence interval: ${share(low, 1)} to ${share(high, 1)}`
}
