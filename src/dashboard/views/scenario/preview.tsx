import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PreviewShape } from '../../../control/shapes.js'
import { dollars, duration, share } from '../../model/format.js'
import { Button } from '../../parts/button.js'
import { Card } from '../../parts/card.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { attempt } from '../../state/notices.js'
import { control } from '../../state/session.js'
import { Bars } from '../numbers/bars.js'

const ORDER = ['succeeded', 'failed', 'canceled', 'stuck']

/** What a client of a scenario gets: the server tries it out on tasks that nobody else sees. */
export function Preview({
  text,
  name,
}: {
  readonly text: string | undefined
  readonly name: string | undefined
}) {
  const samples = useSignal<readonly PreviewShape[] | undefined>(undefined)
  const of = useSignal<string | undefined>(undefined)
  const isOld = of.value !== undefined && of.value !== (text ?? name)
  const run = async () => {
    const found = await attempt(() => control.value.scenario.preview(text === undefined ? {} : { text }))
    if (found === undefined) return
    samples.value = found
    of.value = text ?? name
  }
  useEffect(() => {
    if (text === undefined && name !== undefined) void run()
  }, [name])
  return (
    <Card
      title="What it will do"
      aside={
        <Button icon="play" onPress={run}>
          {text === undefined ? 'Try out' : 'Try out the draft'}
        </Button>
      }
    >
      {samples.value === undefined && (
        <p class="hint">Sends a few hundred create requests for each model to a simulator of its own.</p>
      )}
      {isOld && <p class="hint">This is what it did before the change.</p>}
      {samples.value?.map((sample) => (
        <Sample key={sample.model} sample={sample} />
      ))}
    </Card>
  )
}

function Sample({ sample }: { readonly sample: PreviewShape }) {
  const {
    model,
    kind,
    requests,
    answers,
    tasks,
    outcomes,
    errors,
    processing_ms: times,
    histogram,
    cost_usd: cost,
    attempts_per_task: attempts,
    confidence_95: { outcomes: intervals },
    excluded,
  } = sample
  const ends = Object.entries(outcomes).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
  return (
    <section class="sample" aria-label={model}>
      <h3>
        {model} <span class="kind">{kind}</span>
      </h3>
      {requests > tasks || Object.keys(answers).length > 1 ? (
        <p class="muted">
          {requests} create requests:{' '}
          {Object.entries(answers)
            .map(([answer, number]) => `${answer} ${share(number, requests)}`)
            .join(', ')}
        </p>
      ) : null}
      <p class="outcomes">
        {ends.map(([outcome, number]) => (
          <span key={outcome} class={`state state-${outcome}`} title={likely(intervals[outcome])}>
            <Icon name={iconFor(outcome)} /> {outcome} {share(number, tasks)}
          </span>
        ))}
      </p>
      {Object.keys(errors).length > 0 && (
        <p class="muted">
          {Object.entries(errors)
            .map(([code, number]) => `${code} ${share(number, tasks)}`)
            .join(', ')}
        </p>
      )}
      {histogram.length > 0 ? (
        <Bars
          label={`How long ${model} takes`}
          bars={histogram.map(({ from, to, count }) => ({
            name: `${duration(from)} to ${duration(to)}`,
            value: count,
          }))}
          axis={[duration(histogram[0]?.from ?? 0), duration(histogram.at(-1)?.to ?? 0)]}
        />
      ) : (
        <p class="muted">takes {duration(times['p50'] ?? 0)}</p>
      )}
      <p class="muted figures">
        {histogram.length > 0 &&
          `half within ${duration(times['p50'] ?? 0)}, 95 % within ${duration(times['p95'] ?? 0)} · `}
        {dollars(cost.per_success)} a success · {Math.round(attempts * 100) / 100} webhook{' '}
        {attempts === 1 ? 'attempt' : 'attempts'} a task
      </p>
      {excluded.length > 0 && <p class="muted">Not shown, for other requests: {excluded.join(', ')}</p>}
    </section>
  )
}

/** A confidence interval in words. */
function likely([low, high]: readonly [number, number] = [0, 1]): string {
  return `with a confidence of 95 %: ${share(low, 1)} to ${share(high, 1)}`
}
