import type { AnsweredRequest } from '../engine/requests/answered-request.js'
import type { TaskHistory } from '../inspect/findings/task-history.js'

/** The indices of the files of a task that the client has downloaded as a whole, at once or in parts. */
export function wholeFiles({ downloads }: TaskHistory): number[] {
  const parts = new Map<number, Part[]>()
  const whole = new Set<number>()
  for (const request of downloads) {
    const { method, status, delivered, note } = request
    const file = note.file ?? 0
    if (method !== 'GET' || !delivered || note.isAltered) continue
    if (status === 200 || status === 304) whole.add(file)
    const part = status === 206 ? partIn(request) : undefined
    if (part !== undefined) parts.set(file, [...(parts.get(file) ?? []), part])
  }
  for (const [file, all] of parts) if (areWhole(all)) whole.add(file)
  return [...whole].sort((a, b) => a - b)
}

/** A range of bytes, the last one included, and the length of the whole file. */
interface Part {
  readonly first: number
  readonly last: number
  readonly length: number
}

function partIn({ note }: AnsweredRequest): Part | undefined {
  const range = note.headers?.masked(({ response }) => response['content-range'])
  const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(range)) ?? []
  return first === undefined ? undefined : { first: +first, last: Number(last), length: Number(length) }
}

function areWhole(parts: readonly Part[]): boolean {
  let end = 0
  for (const { first, last } of [...parts].sort((a, b) => a.first - b.first))
    if (first <= end) end = Math.max(end, last + 1)
  return parts.some(({ length }) => end >= length)
}
