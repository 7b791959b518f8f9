import { describe, expect, it } from 'vitest'
import type { TaskBriefShape } from '../../src/client/index.js'
import { isFiltered } from '../../src/dashboard/model/list-filter.js'
import { createTaskStore, TASK_FILTER, taskAfter } from '../../src/dashboard/model/tasks/task-store.js'
import { scrollTo, slotCount, virtualWindow } from '../../src/dashboard/model/virtual-window.js'

function task(id: string, more: Partial<TaskBriefShape> = {}): TaskBriefShape {
  return {
    id,
    model: 'acme/image-1',
    kind: 'image',
    dialect: 'tasks',
    key: 'sk_...1234',
    status: 'processing',
    prompt: 'A red boat',
    created_at: '2026-01-01T00:00:00.000Z',
    held: false,
    ...more,
  }
}

/** Puts a task into a store as an entry of the journal does. */
function put(store: ReturnType<typeof createTaskStore>, id: string, status: TaskBriefShape['status']) {
  const { id: _, held: __, ...brief } = task(id, { status })
  const entry = { number: 1, at: '2026-01-01T00:00:00.000Z', type: 'task' as const, task_id: id, ...brief }
  store.put(taskAfter(entry, store.get(id)))
}

describe('a filter', () => {
  it('matches tasks that contain all words, in any case and order', () => {
    const test = TASK_FILTER.test({ text: 'BOAT  acme' })
    expect(test(task('a'))).toBe(true)
    expect(test(task('a', { prompt: 'A red kite' }))).toBe(false)
  })

  it.each([
    [{ status: 'failed' }, { status: 'failed' }],
    [{ kind: 'video' }, { kind: 'video' }],
    [{ model: 'acme/video-1' }, { model: 'acme/video-1' }],
    [{ dialect: 'luma' }, { dialect: 'luma' }],
    [{ key: 'sk_...9999' }, { key: 'sk_...9999' }],
    [{ text: 'content_policy' }, { error: 'content_policy' }],
    [{ status: 'held' }, { held: true }],
  ])('%j matches only a task with %j', (filter, fitting) => {
    const test = TASK_FILTER.test(filter)
    expect([test(task('a')), test(task('b', fitting as Partial<TaskBriefShape>))]).toEqual([false, true])
  })

  it('is empty if it contains only spaces', () => {
    expect([
      isFiltered(TASK_FILTER.read({})),
      isFiltered(TASK_FILTER.read({ text: ' ', pane: 'open' })),
      isFiltered(TASK_FILTER.read({ key: 'k' })),
    ]).toEqual([false, false, true])
  })
})

it('the list counts the tasks in each state', () => {
  const tasks = [task('a'), task('b', { status: 'failed' }), task('c')]
  expect(TASK_FILTER.count('status', tasks)).toEqual({
    processing: 2,
    failed: 1,
  })
})

describe('the task store', () => {
  const all = () => true

  it('deletes tasks that the server has forgotten, however many', () => {
    const taskStore = createTaskStore()
    taskStore.addPage([task('old')])
    for (let number = 0; number < 5_000; number++) put(taskStore, `t${number}`, 'succeeded')
    for (let number = 1; number < 5_000; number++) taskStore.delete(`t${number}`)
    expect(taskStore.list(all).map(({ id }) => id)).toEqual(['t0', 'old'])
    expect(taskStore.size).toBe(2)
  })

  it('lists new tasks before earlier ones, newest first', () => {
    const taskStore = createTaskStore()
    taskStore.addPage([task('b'), task('a')])
    put(taskStore, 'c', 'processing')
    put(taskStore, 'd', 'processing')
    expect(taskStore.list(all).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('stores a task once, in its latest state, in any order of arrival', () => {
    const taskStore = createTaskStore()
    put(taskStore, 'a', 'succeeded')
    taskStore.addPage([task('a', { status: 'processing' })])
    put(taskStore, 'a', 'queued')
    expect(taskStore.list(all)).toMatchObject([{ id: 'a', status: 'succeeded' }])
  })

  it('lists tasks by the time of their creation, whatever the order of their arrival', () => {
    const taskStore = createTaskStore()
    const at = (second: number) => ({ created_at: `2026-01-01T00:00:0${second}.000Z` })
    taskStore.put(task('c', at(3)))
    taskStore.addPage([task('d', at(4)), task('c', at(3)), task('b', at(2))])
    taskStore.addPage([task('a', at(1))])
    expect(taskStore.list(all).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('knows the distinct values of the tasks, as the same object until one changes', () => {
    const taskStore = createTaskStore()
    taskStore.addPage([task('a'), task('b', { model: 'acme/video-1', kind: 'video' })])
    const { values } = taskStore
    expect(values).toMatchObject({ kind: ['image', 'video'], model: ['acme/image-1', 'acme/video-1'] })
    put(taskStore, 'a', 'succeeded')
    expect(taskStore.values).toBe(values)
    put(taskStore, 'c', 'succeeded')
    taskStore.put(task('d', { kind: 'audio' }))
    expect(taskStore.values.kind).toEqual(['audio', 'image', 'video'])
  })

  it('keeps a task held until it ends', () => {
    const taskStore = createTaskStore()
    taskStore.addPage([task('a', { status: 'queued', held: true })])
    put(taskStore, 'a', 'processing')
    expect(taskStore.get('a')?.held).toBe(true)
    put(taskStore, 'a', 'failed')
    expect(taskStore.get('a')?.held).toBe(false)
  })
})

describe('the virtual window of a long list', () => {
  it('renders the visible rows and a few more at any scroll position', () => {
    const { first, end, offset, height } = virtualWindow(10_000, 60, 60_000, 600)
    expect([first, end, offset, height]).toEqual([994, 1_016, 994 * 60, 600_000])
  })

  it('never exceeds the list, even if the list is shorter than the scroll position', () => {
    expect(virtualWindow(5, 60, 60_000, 600)).toMatchObject({ first: 0, end: 5, offset: 0 })
    expect(virtualWindow(0, 60, 0, 600)).toMatchObject({ first: 0, end: 0, height: 0 })
    const last = virtualWindow(100, 60, 1e9, 600)
    expect(last.end).toBe(100)
    expect(last.first).toBeLessThan(100)
  })

  it('has a slot of its own for each row, and keeps the slots when items are added at the top', () => {
    const slotsOf = (count: number, top: number) => {
      const { first, end } = virtualWindow(count, 60, top, 610)
      const rows = Array.from({ length: end - first }, (_, row) => first + row)
      return rows.map((row) => [count - row, (count - row) % slotCount(60, 610)] as const)
    }
    for (const top of [0, 60, 3_000, 1e9])
      expect(new Set(slotsOf(500, top).map(([, slot]) => slot)).size).toBe(slotsOf(500, top).length)
    expect(new Map(slotsOf(501, 60)).get(495)).toBe(new Map(slotsOf(500, 0)).get(495))
  })

  it('scrolls only as far as needed to show a row', () => {
    expect(scrollTo(3, 60, 0, 600)).toBe(0)
    expect(scrollTo(12, 60, 0, 600)).toBe(180)
    expect(scrollTo(1, 60, 600, 600)).toBe(60)
  })
})
