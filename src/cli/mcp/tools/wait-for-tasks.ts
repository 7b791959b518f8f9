import { search, segment } from '../../../client/call.js'
import type { ClockShape, Page, StateShape, TaskBriefShape, TaskShape } from '../../../control/shapes.js'
import { startTimer, stopwatch } from '../../../engine/clock/system-clock.js'
import { UsageError } from '../../../engine/errors.js'
import { inputOf, type Session, type Tool } from './tool.js'

const DEFAULT_TIMEOUT = 30
const MAX_TIMEOUT = 300
/** Milliseconds between two looks. */
const INTERVAL = 100
/** How many tasks the result lists. */
const MAX_LISTED = 20

export const waitForTasks: Tool = {
  name: 'wait_for_tasks',
  title: 'Wait until tasks have ended',
  effect: 'reads',
  operations: [],
  description:
    'Wait until all tasks, or those with the given ids, have ended. Returns the tasks, or after the timeout those that are still running, with the reason. On a manual clock, use control_clock instead.',
  input: inputOf({
    ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'The ids of the tasks; all tasks by default',
    },
    timeout_seconds: {
      type: 'number',
      minimum: 0,
      maximum: MAX_TIMEOUT,
      default: DEFAULT_TIMEOUT,
      description: 'Maximum wait, in real seconds',
    },
  }),
  async run({ ids, timeout_seconds: timeout = DEFAULT_TIMEOUT }, { session, signal }) {
    if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= MAX_TIMEOUT))
      throw new UsageError(
        `\`timeout_seconds\` must be a number from 0 to ${MAX_TIMEOUT}; got ${JSON.stringify(timeout)}.`,
      )
    const given = ids === undefined ? undefined : readIds(ids)
    const start = stopwatch()
    for (;;) {
      const running = await (given === undefined ? anyRunning(session) : runningOf(given, session))
      if (running.length === 0) return given === undefined ? allEnded(session) : endedOf(given, session)
      await checkClock(session, running.length)
      if (stopwatch() - start >= timeout * 1_000) return timedOut(running, session)
      signal.throwIfAborted()
      await pause()
    }
  },
}

function readIds(ids: unknown): readonly string[] {
  if (Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')) return ids
  throw new UsageError(
    `\`ids\` must be a list of task ids, as list_tasks shows them; got ${JSON.stringify(ids)?.slice(0, 100)}.`,
  )
}

/** Only one page of each status: the others are not over before these are. */
async function anyRunning(session: Session): Promise<readonly string[]> {
  const pages = await Promise.all(
    ['queued', 'processing'].map((status) => {
      const query = search({ status, brief: true, limit: MAX_LISTED })
      return session.call<Page<TaskBriefShape>>('GET', `/tasks${query}`)
    }),
  )
  return pages.flatMap(({ data }) => data.map(({ id }) => id))
}

async function runningOf(ids: readonly string[], session: Session): Promise<readonly string[]> {
  const tasks = await Promise.all(ids.map((id) => taskOf(id, session)))
  return tasks.filter(({ status }) => status === 'queued' || status === 'processing').map(({ id }) => id)
}

function taskOf(id: string, session: Session): Promise<TaskShape> {
  return session.call<TaskShape>('GET', `/tasks/${segment(id)}`)
}

/** @throws UsageError if the clock stands, because tasks would run forever */
async function checkClock(session: Session, running: number): Promise<void> {
  const { mode } = await session.call<ClockShape>('GET', '/clock')
  if (mode !== 'manual') return
  throw new UsageError(
    `The clock is manual, so waiting does not end ${running === 1 ? 'a running task' : `${running} running tasks`}. Call control_clock with {"run_until_idle": true}, or with {"mode": "real"} and wait again.`,
  )
}

async function allEnded(session: Session): Promise<object> {
  const { tasks } = await session.call<StateShape>('GET', '/state')
  return { all_ended: true, tasks_by_status: tasks }
}

async function endedOf(ids: readonly string[], session: Session): Promise<object> {
  const tasks = await Promise.all(ids.slice(0, MAX_LISTED).map((id) => taskOf(id, session)))
  return {
    all_ended: true,
    tasks: tasks.map(({ id, status, error, cost_usd }) => ({ id, status, error, cost_usd })),
  }
}

/** The plan of a task says why it is still running. */
async function timedOut(running: readonly string[], session: Session): Promise<object> {
  const tasks = await Promise.all(running.slice(0, MAX_LISTED).map((id) => taskOf(id, session)))
  return {
    all_ended: false,
    still_running: tasks.map(({ id, status, held, plan }) => ({ id, status, held, plan })),
    remedy:
      'Wait again, end a task with end_task, or speed up the clock with control_clock. A task with `ends_at_poll` ends only if the app polls it, and a `stuck` or held one does not end.',
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    startTimer(INTERVAL, resolve, true)
  })
}
