import { computed, effect, signal } from '@preact/signals'
import { overlaps } from '../model/overview/bar.js'
import {
  fittingRange,
  RANGES,
  type RangeName,
  type Span,
  spanOf,
  timesOf,
} from '../model/overview/time-range.js'
import { clock, now } from './clock.js'
import { throttle } from './fetched.js'
import { taskList } from './tasks.js'

/** The range that the user chose; undefined if the page chooses one. */
export const chosenRange = signal<RangeName | undefined>(undefined)

/** A chart that follows the clock moves in this many steps: smaller ones would change no pixel. */
const STEPS = 600
/** The shortest time between two changes of a chart of thousands of tasks, in milliseconds. */
const INTERVAL = 250

/** Increases when the tasks change, at most once in each interval. */
const version = signal(0)
const follow = throttle(INTERVAL, async () => {
  version.value = taskList.version.peek()
})
effect(() => {
  taskList.version.value
  follow()
})

/** All tasks, newest first. */
const allSpans = computed(() => {
  version.value
  return taskList.store.list(() => true).map(spanOf)
})

/** The tasks that match the filter, newest first. */
const spans = computed(() => {
  version.value
  taskList.conditions.value
  return taskList.shown.peek().map(spanOf)
})

/** The current range. */
export const rangeName = computed(() => chosenRange.value ?? fittingRange(spans.value, now.value))

/** The end of the chart. While the clock runs, it moves in steps of about a pixel. */
export const until = computed(() => {
  const { mode, speed = 1 } = clock.value ?? {}
  if (mode !== 'real') return now.value
  const length = RANGES[rangeName.value]
  const step = Math.max(INTERVAL * speed, Number.isFinite(length) ? length / STEPS : 0)
  return Math.ceil(now.value / step) * step
})

/** The times of the chart. */
export const times = computed(() => timesOf(rangeName.value, allSpans.value, until.value))

/** The tasks in the chart, newest first: the same array as long as the tasks are the same. */
export const shownSpans = computed(() => {
  const { value: range } = times
  const shown = spans.value.filter((span) => overlaps(span, range))
  if (shown.length !== lastShown.length || shown.some((span, index) => span !== lastShown[index]))
    lastShown = shown
  return lastShown
})
let lastShown: readonly Span[] = []
