import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Client } from './client.js'
import { type Cell, judge, stateOf } from './places.js'
import { CORRECT, cellsOf, DIALECTS, MISTAKES, provokedCells } from './table.js'

const only = process.env['ONLY']
const log = (line: string) => appendFileSync('/tmp/sound.log', `${line}\n`)
async function pool<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const left = [...items]
  await Promise.all(
    Array.from({ length: Number(process.env['POOL'] ?? 40) }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
    }),
  )
}
const pace = (cell: Cell) => process.env['PACE'] === undefined || String(cell.pace) === process.env['PACE']

test('correct', { timeout: 3e6 }, async () => {
  if (only !== undefined) return
  let bad = 0,
    all = 0
  const jobs = Object.entries(CORRECT).flatMap(([name, habits]) =>
    cellsOf(DIALECTS)
      .filter(pace)
      .map((cell) => ({ name, habits, cell })),
  )
  await pool(jobs, async ({ name, habits, cell }) => {
    all += 1
    const began = performance.now()
    try {
      const { findings } = await judge(cell, new Client(habits))
      const wrong = findings.filter(({ severity }) => severity !== 'note')
      if (wrong.length > 0) {
        bad += 1
        log(
          `CORRECT ${name} | ${cell.title} | ${wrong.map((f) => `${f.id}: ${f.evidence[0]?.seen}`).join(' ; ')}`,
        )
      }
    } catch (error) {
      bad += 1
      log(`CORRECT ${name} | ${cell.title} | THROWS ${(error as Error).stack?.slice(0, 300)}`)
    }
    const took = performance.now() - began
    if (took > 20_000) log(`SLOW ${name} | ${cell.title} | ${Math.round(took)}`)
  })
  log(`correct: ${all} cells, ${bad} bad`)
})

test('mistakes', { timeout: 3e6 }, async () => {
  if (process.env['NOMISTAKES']) return
  let bad = 0,
    all = 0,
    found = 0
  const jobs = Object.entries(MISTAKES)
    .filter(([id]) => only === undefined || only === id)
    .flatMap(([id, mistake]) => [
      ...provokedCells(mistake).map((cell) => ({ id, mistake, cell, isProvoked: true })),
      ...(process.env['ALL']
        ? cellsOf(DIALECTS).map((cell) => ({ id, mistake, cell, isProvoked: false }))
        : []),
    ])
    .filter(({ cell }) => pace(cell))
  await pool(jobs, async ({ id, mistake, cell, isProvoked }) => {
    all += 1
    try {
      const verdict = await judge(cell, new Client(mistake.habits))
      const { state, reason } = stateOf(verdict, id)
      const others = verdict.findings.filter(
        (f) => f.severity !== 'note' && f.id !== id && !mistake.also?.includes(f.id as never),
      )
      if (state === 'found') found += 1
      const isRight = isProvoked ? state === 'found' : state === 'found' || state === 'not_observed'
      if (!isRight || others.length > 0) {
        bad += 1
        log(
          `MISTAKE ${id} | ${cell.title} | ${state} ${reason ?? ''} | ${others.map((f) => `${f.id}: ${f.evidence[0]?.seen}`).join(' ; ')}`,
        )
      }
    } catch (error) {
      bad += 1
      log(`MISTAKE ${id} | ${cell.title} | THROWS ${(error as Error).stack?.slice(0, 300)}`)
    }
  })
  log(`mistakes: ${all} cells, ${found} found, ${bad} bad`)
  expect(bad).toBe(0)
})
