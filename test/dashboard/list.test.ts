import { describe, expect, it } from 'vitest'
import type { TaskBriefShape } from '../../src/client/index.js'
import { filterTest, isOpen, NO_FILTER } from '../../src/dashboard/model/filters.js'
import { TaskBook } from '../../src/dashboard/model/task-book.js'
import { scrollTo, virtualWindow } from '../../src/dashboard/model/virtual-window.js'

function task(id: string, more: Partial<TaskBriefShape> = {}): TaskBriefShape {
  return {
    id,
    model: 'acme/image-1',
    kind: 'image',
    key: 'sk_...1234',
    status: 'processing',
    prompt: 'A red boat',
    created_at: '2026-01-01T00:00:00.000Z',
    held: false,
    ...more,
  }
}

function entry(id: string, status: string) {
  const { id: _, held: __, ...brief } = task(id, { status })
  return { number: 1, at: '2026-01-01T00:00:00.000Z', type: 'task' as const, task_id: id, ...brief }
}

describe('a filter', () => {
  it('lets through what has all words somewhere, whatever their case and order', () => {
    const test = filterTest({ ...NO_FILTER, text: 'BOAT  acme' })
    expect(test(task('a'))).toBe(true)
    expect(test(task('a', { prompt: 'A red kite' }))).toBe(false)
  })

  it.each([
    [{ status: 'failed' }, { status: 'failed' }],
    [{ kind: 'video' }, { kind: 'video' }],
    [{ model: 'acme/video-1' }, { model: 'acme/video-1' }],
    [{ key: 'sk_...9999' }, { key: 'sk_...9999' }],
    [{ text: 'content_policy' }, { error: 'content_policy' }],
    [{ status: 'held' }, { held: true }],
  ])('of %j lets through only a task with %j', (filter, fitting) => {
    const test = filterTest({ ...NO_FILTER, ...filter })
    expect([test(task('a')), test(task('b', fitting))]).toEqual([false, true])
  })

  it('is open where nothing but blanks is in it', () => {
    expect([
      isOpen(NO_FILTER),
      isOpen({ ...NO_FILTER, text: ' ' }),
      isOpen({ ...NO_FILTER, key: 'k' }),
    ]).toEqual([true, true, false])
  })
})

describe('the book of tasks', () => {
  const all = () => true

  it('has what came while one looked on before what was there, newest first', () => {
    const book = new TaskBook()
    book.addPage([task('b'), task('a')])
    book.addEntry(entry('c', 'processing'))
    book.addEntry(entry('d', 'processing'))
    expect(book.list(all).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('holds a task once, in its latest state, in whatever order it is told of it', () => {
    const book = new TaskBook()
    book.addEntry(entry('a', 'succeeded'))
    book.addPage([task('a', { status: 'processing' })])
    book.addEntry(entry('a', 'queued'))
    expect(book.list(all)).toMatchObject([{ id: 'a', status: 'succeeded' }])
  })

  it('keeps a task held until it ends', () => {
    const book = new TaskBook()
    book.addPage([task('a', { status: 'queued', held: true })])
    book.addEntry(entry('a', 'processing'))
    expect(book.get('a')?.held).toBe(true)
    book.addEntry(entry('a', 'failed'))
    expect(book.get('a')?.held).toBe(false)
  })
})

describe('the window on a long list', () => {
  it('draws what can be seen and a little more, wherever it is scrolled to', () => {
    const { first, end, offset, height } = virtualWindow(10_000, 60, 60_000, 600)
    expect([first, end, offset, height]).toEqual([994, 1_016, 994 * 60, 600_000])
  })

  it('never goes beyond the list, even where it has become shorter than the scroll', () => {
    expect(virtualWindow(5, 60, 60_000, 600)).toMatchObject({ first: 0, end: 5, offset: 0 })
    expect(virtualWindow(0, 60, 0, 600)).toMatchObject({ first: 0, end: 0, height: 0 })
    const last = virtualWindow(100, 60, 1e9, 600)
    expect(last.end).toBe(100)
    expect(last.first).toBeLessThan(100)
  })

  it('scrolls as little as it takes to show a row', () => {
    expect(scrollTo(3, 60, 0, 600)).toBe(0)
    expect(scrollTo(12, 60, 0, 600)).toBe(180)
    expect(scrollTo(1, 60, 600, 600)).toBe(60)
  })
})
