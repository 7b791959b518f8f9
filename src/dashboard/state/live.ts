import { batch, effect } from '@preact/signals'
import { ControlError } from '../../client/call.js'
import type { EntryShape } from '../../control/shapes.js'
import { briefOf } from '../model/requests/request-filter.js'
import { taskAfter } from '../model/tasks/task-store.js'
import { controlUrl } from '../server/control.js'
import { withToken } from '../server/token.js'
import { addChanges, changes, loadChanges } from './changes.js'
import { setClock, stopClock } from './clock.js'
import { forgetDeliveries, putDeliveries } from './deliveries.js'
import { throttle } from './fetched.js'
import { notify } from './notifications.js'
import { requestList } from './requests.js'
import { navigate, sandbox } from './route.js'
import {
  checkedFrom,
  connection,
  control,
  deliveryVersion,
  lastChange,
  loadVersion,
  scenarioVersion,
  simulator,
  verdict,
} from './session.js'
import { taskList } from './tasks.js'

const PAGE_SIZE = 1_000

/** How many requests and tasks from before the page was opened are loaded; the journal keeps no more requests. */
const MAX_REQUESTS = 10_000
const MAX_TASKS = 20_000
const REFRESH_INTERVAL = 5_000

/** The page renders new entries at most this often, and collects at least the entries of one frame, in milliseconds. */
const FLUSH_INTERVAL = 100
const MIN_WAIT = 16

/** The delays before an attempt to reconnect, in milliseconds; each is twice the previous one. */
const FIRST_DELAY = 400
const LONGEST_DELAY = 8_000

/** Increases with each connection, so that the page ignores results of earlier connections. */
let generation = 0
let stop: () => void = () => {}
let retry: ReturnType<typeof setTimeout> | undefined
let failures = 0
let queue: EntryShape[] = []
let isFlushDue = false
let flushedAt = 0

/** Keeps the page in sync with the selected simulator. */
export function startLiveUpdates(): void {
  effect(() => {
    sandbox.value
    failures = 0
    forgetItems()
    simulator.value = undefined
    verdict.value = undefined
    checkedFrom.value = undefined
    connect()
  })
  setInterval(() => !document.hidden && connection.peek() === 'live' && refresh(), REFRESH_INTERVAL)
  document.addEventListener('visibilitychange', () => !document.hidden && refresh())
}

/** Loads the current state, because the server may have restarted, and then follows the journal. */
export function connect(): void {
  generation += 1
  const ownGeneration = generation
  stop()
  clearTimeout(retry)
  if (connection.peek() === 'live') connection.value = 'connecting'
  load(ownGeneration).catch((error) => ownGeneration === generation && disconnect(error))
}

async function load(ownGeneration: number): Promise<void> {
  const api = control.peek()
  const state = await api.state()
  const tasks = (cursor: Cursor) => api.tasks.brief({ limit: PAGE_SIZE, ...cursor })
  const requests = (cursor: Cursor) => api.journal.brief({ limit: PAGE_SIZE, ...cursor })
  const [first, changed] = await Promise.all([tasks({}), loadChanges()])
  if (ownGeneration !== generation) return
  queue = []
  let older: Promise<unknown> | undefined
  batch(() => {
    forgetItems()
    changes.value = []
    addChanges(changed)
    simulator.value = state
    setClock(state.clock)
    markAllChanged()
    older = taskList.load(tasks, () => taskList.store.size >= MAX_TASKS, first)
  })
  stop = followJournal(state.journal, () => ownGeneration === generation && disconnect())
  refreshFindings()
  await Promise.all([older, requestList.load(requests, () => requestList.store.size >= MAX_REQUESTS)])
}

interface Cursor {
  readonly after?: string
}

function forgetItems(): void {
  taskList.forget()
  requestList.forget()
  forgetDeliveries()
}

function disconnect(error?: unknown): void {
  stop()
  if (error instanceof ControlError && error.status === 401) {
    connection.value = 'locked'
    return
  }
  if (error instanceof ControlError && error.status === 404 && sandbox.peek() !== undefined) {
    notify('bad', 'This sandbox was deleted. Switched to the main simulator.')
    navigate({ view: 'tasks', sandbox: undefined })
    return
  }
  failures += 1
  const wait = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1))
  connection.value = 'lost'
  stopClock()
  retry = setTimeout(connect, wait)
}

/** Collects entries, so that a busy simulator leaves most frames of the page to scrolling and typing. */
function enqueue(entry: EntryShape): void {
  queue.push(entry)
  const wait = Math.max(MIN_WAIT, flushedAt + FLUSH_INTERVAL - performance.now())
  if (!isFlushDue) setTimeout(processQueue, wait)
  isFlushDue = true
}

function processQueue(): void {
  isFlushDue = false
  flushedAt = performance.now()
  const entries = queue
  queue = []
  const { store: taskStore } = taskList
  const tasks = new Set<string>()
  const types = new Set<EntryShape['type']>()
  const controlled = new Set<string>()
  for (const entry of entries) {
    types.add(entry.type)
    if (entry.type === 'task') taskStore.put(taskAfter(entry, taskStore.get(entry.task_id)))
    if (entry.type === 'forgotten') taskStore.delete(entry.task_id)
    if (entry.type === 'request') requestList.store.put(briefOf(entry))
    if (entry.type === 'control') {
      if (entry.task_id === undefined) controlled.add(entry.what)
      else taskStore.update(entry.task_id, { held: entry.what === 'hold' })
    }
    const about = entry.type === 'delivery' ? entry.delivery : entry
    const id = 'task_id' in about ? about.task_id : undefined
    if (id !== undefined) tasks.add(id)
  }
  if (controlled.has('reset')) {
    connect()
    return
  }
  batch(() => {
    if (types.has('task') || types.has('forgotten') || types.has('control')) taskList.touch()
    if (types.has('request')) requestList.touch()
    if (types.has('delivery') || types.has('receiver')) deliveryVersion.value += 1
    putDeliveries(entries.flatMap((entry) => (entry.type === 'delivery' ? [entry.delivery] : [])))
    if (controlled.has('scenario')) scenarioVersion.value += 1
    if (controlled.size > 0) addChanges(entries)
    lastChange.value = { tasks, all: controlled.size > 0 }
  })
  refresh()
  refreshFindings()
}

function markAllChanged(): void {
  loadVersion.value += 1
  deliveryVersion.value += 1
  scenarioVersion.value += 1
  lastChange.value = { tasks: new Set(), all: true }
}

/** Loads the counts and the clock. */
const refresh = throttle(250, async () => {
  const ownGeneration = generation
  const state = await control.peek().state()
  if (ownGeneration !== generation) return
  batch(() => {
    simulator.value = state
    setClock(state.clock)
  })
})

/** Checks the client only from now on, or from the start again, without a reset. */
export function checkFrom(since: string | undefined): void {
  checkedFrom.value = since
  refreshFindings()
}

/** The server reads its whole journal for the findings, so the interval is longer. */
const refreshFindings = throttle(1_500, async () => {
  const ownGeneration = generation
  const since = checkedFrom.peek()
  const current = await control.peek().verdict({ newest: 'true', ...(since && { since }) })
  if (ownGeneration === generation) verdict.value = current
})

const TYPES = ['request', 'task', 'forgotten', 'delivery', 'receiver', 'control', 'observation'] as const

/**
 * Follows the journal after the entry with a number. The stream does not reconnect.
 * @returns a function that closes the stream
 */
function followJournal(after: number, onEnd: () => void): () => void {
  const source = new EventSource(withToken(`${controlUrl(sandbox.peek())}/stream?after=${after}`))
  source.addEventListener('open', () => {
    failures = 0
    connection.value = 'live'
  })
  for (const type of TYPES)
    source.addEventListener(type, ({ data }: MessageEvent<string>) => enqueue(JSON.parse(data)))
  // The browser would reconnect with the last number, but a restarted server numbers its entries from 1.
  source.addEventListener('error', () => {
    source.close()
    onEnd()
  })
  return () => source.close()
}
