import { batch, effect } from '@preact/signals'
import { ControlError } from '../../client/control.js'
import type { EntryShape } from '../../control/shapes.js'
import { backoff } from '../model/backoff.js'
import { followJournal } from '../server/stream.js'
import { setClock } from './clock.js'
import { tell } from './notices.js'
import { atMostEvery } from './pace.js'
import { go, sandbox } from './place.js'
import {
  book,
  connection,
  control,
  deliveryVersion,
  findings,
  isLoading,
  retryAt,
  scenarioVersion,
  seeRequest,
  simulator,
  taskVersion,
  touched,
} from './session.js'

const PAGE_SIZE = 1_000
/** More are not fetched from before the page was opened; what comes while it looks on is kept all the same. */
const MOST_OLDER = 20_000
const REST = 5_000

/** Counts up with every new start, so that what belongs to an older one is left alone. */
let era = 0
let stop: () => void = () => {}
let retry: ReturnType<typeof setTimeout> | undefined
let failures = 0
let waiting: EntryShape[] = []
let frame = 0

/** Keeps the page up to date with what is looked at, for as long as it is open. */
export function live(): void {
  effect(() => {
    sandbox.value
    failures = 0
    book.clear()
    simulator.value = undefined
    findings.value = undefined
    start()
  })
  setInterval(() => !document.hidden && connection.peek() === 'live' && refresh(), REST)
  document.addEventListener('visibilitychange', () => !document.hidden && refresh())
}

/** Fetches everything anew, and then follows what happens: a server that comes back may be another one. */
export function start(): void {
  era += 1
  const own = era
  stop()
  clearTimeout(retry)
  if (connection.peek() === 'live') connection.value = 'connecting'
  begin(own).catch((error) => own === era && lose(error))
}

async function begin(own: number): Promise<void> {
  const api = control.peek()
  const state = await api.state()
  const first = await api.tasks.brief({ limit: PAGE_SIZE })
  if (own !== era) return
  waiting = []
  batch(() => {
    book.clear()
    book.addPage(first.data)
    simulator.value = state
    setClock(state.clock)
    isLoading.value = first.has_more
    changed()
  })
  stop = followJournal(sandbox.peek(), state.journal, {
    onOpen() {
      failures = 0
      connection.value = 'live'
    },
    onEntry: take,
    onEnd: () => own === era && lose(),
  })
  refreshFindings()
  await loadOlder(own, first.next_cursor)
}

async function loadOlder(own: number, cursor: string | null): Promise<void> {
  let after = cursor
  while (after !== null && book.size < MOST_OLDER) {
    const page = await control.peek().tasks.brief({ limit: PAGE_SIZE, after })
    if (own !== era) return
    book.addPage(page.data)
    taskVersion.value += 1
    after = page.next_cursor
  }
  isLoading.value = false
}

function lose(error?: unknown): void {
  stop()
  if (error instanceof ControlError && error.status === 401) {
    connection.value = 'locked'
    return
  }
  if (error instanceof ControlError && error.status === 404 && sandbox.peek() !== undefined) {
    tell('bad', 'This sandbox is gone; here is the main simulator.')
    go({ view: 'tasks', sandbox: undefined })
    return
  }
  failures += 1
  const wait = backoff(failures)
  connection.value = 'lost'
  retryAt.value = performance.now() + wait
  retry = setTimeout(start, wait)
}

/** Collects what comes within one frame: ten thousand lines a second are drawn sixty times, not ten thousand. */
function take(entry: EntryShape): void {
  waiting.push(entry)
  if (frame === 0)
    frame = later(() => {
      frame = 0
      takeAll()
    })
}

/** A tab that is not seen gets no frames, but should not grow without bound either. */
function later(run: () => void): number {
  return document.hidden ? window.setTimeout(run, 1_000) : requestAnimationFrame(run)
}

function takeAll(): void {
  const entries = waiting
  waiting = []
  const tasks = new Set<string>()
  const types = new Set<EntryShape['type']>()
  const controlled = new Set<string>()
  for (const entry of entries) {
    types.add(entry.type)
    if (entry.type === 'task') book.addEntry(entry)
    if (entry.type === 'request') seeRequest(entry)
    if (entry.type === 'control') controlled.add(entry.what)
    const id = taskOf(entry)
    if (id !== undefined) tasks.add(id)
  }
  if (controlled.has('reset')) {
    start()
    return
  }
  batch(() => {
    if (types.has('task')) taskVersion.value += 1
    if (types.has('delivery') || types.has('receiver')) deliveryVersion.value += 1
    if (controlled.has('scenario')) scenarioVersion.value += 1
    touched.value = { tasks, all: controlled.size > 0 }
  })
  refresh()
  refreshFindings()
}

function taskOf(entry: EntryShape): string | undefined {
  if (entry.type === 'request' || entry.type === 'task') return entry.task_id
  return entry.type === 'delivery' ? entry.delivery.task_id : undefined
}

function changed(): void {
  taskVersion.value += 1
  deliveryVersion.value += 1
  scenarioVersion.value += 1
  touched.value = { tasks: new Set(), all: true }
}

/** Asks for the counts and the clock. */
const refresh = atMostEvery(250, async () => {
  const own = era
  const state = await control.peek().state()
  if (own !== era) return
  batch(() => {
    simulator.value = state
    setClock(state.clock)
  })
})

/** Drawing findings takes the server a look at its whole journal, so not too often. */
const refreshFindings = atMostEvery(1_500, async () => {
  const own = era
  const found = await control.peek().findings()
  if (own === era) findings.value = found
})
