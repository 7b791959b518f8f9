import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../../../src/inspect/findings/verdict.js'
import { isDeep, sampleOf } from '../../../support/deep.js'
import { Client, type Habits } from './client.js'
import { judge, stateOf } from './places.js'
import { CORRECT, cellsOf, DIALECTS, MISTAKEN, type NamedCell, provokedCells } from './table.js'

/** Clients over HTTP sleep most of the time, so many run at once. */
const AT_ONCE = 40

/** Runs a client in each cell. @returns what a check has found wrong, by cell */
async function complaints(
  cells: readonly NamedCell[],
  habits: Partial<Habits>,
  check: (verdict: Verdict) => string | undefined,
): Promise<string[]> {
  const left = habits.webhookAnswer?.after ? [...cells] : cells.map(withPatience)
  const wrong: string[] = []
  const runNext = async (): Promise<void> => {
    const cell = left.shift()
    if (cell === undefined) return
    const complaint = check(await judge(cell, new Client(habits)))
    if (complaint !== undefined) wrong.push(`${cell.title}: ${complaint}`)
    await runNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runNext))
  return wrong
}

/** On a busy machine, the receivers of so many clients in one process answer late, which is not their mistake. */
function withPatience(cell: NamedCell): NamedCell {
  const { scenario } = cell
  const thresholds = { ...scenario.findings?.thresholds, webhook_answer: '60s' as const }
  return { ...cell, scenario: { ...scenario, findings: { ...scenario.findings, thresholds } } }
}

/** Of all cells, those in the turn of a client: all clients together meet every cell. */
function inTurn(cells: readonly NamedCell[], turn: number, turns: number): NamedCell[] {
  return cells.filter((_, index) => (index + turn) % turns === 0)
}

/** Whether a cell takes little real time. */
function isQuick({ pace, title }: NamedCell): boolean {
  return pace === 'manual' || (pace === 60 && title.endsWith('default'))
}

/** Findings that fail a build. */
function seriousIn({ findings }: Verdict): Verdict['findings'] {
  return findings.filter(({ severity }) => severity !== 'note')
}

function describeFindings(findings: Verdict['findings']): string {
  return findings.map(({ id, evidence }) => `${id}: ${evidence[0]?.seen}`).join('; ')
}

describe('a client without mistakes', () => {
  test.concurrent.each(
    Object.entries(CORRECT).map(([title, habits], turn) => [title, habits, turn] as const),
  )('that %s gets no warning and no error in any cell', { timeout: 600_000 }, async (_, habits, turn) => {
    const check = (verdict: Verdict) => {
      const serious = seriousIn(verdict)
      return serious.length === 0 ? undefined : describeFindings(serious)
    }
    const cells = cellsOf(DIALECTS)
    const shown = isDeep ? inTurn(cells, turn, 6) : sampleOf(2, cells.filter(isQuick))
    expect(await complaints(shown, habits, check)).toEqual([])
  })
})

describe('a client with the mistake', () => {
  test.concurrent.each(MISTAKEN)(
    '%s is found where a scenario provokes it',
    { timeout: 600_000 },
    async (_, id, mistake) => {
      const check = (verdict: Verdict) => {
        const { state, reason = '' } = stateOf(verdict, id)
        return state === 'found' ? undefined : `${state} ${reason}`
      }
      const cells = provokedCells(mistake)
      const shown = isDeep ? cells : sampleOf(1, cells.filter(isQuick))
      expect(await complaints(shown, mistake.habits, check)).toEqual([])
    },
  )

  test.concurrent.each(MISTAKEN.map(([title, id, mistake], turn) => [title, id, mistake, turn] as const))(
    '%s is found or not observed in any cell, and nothing else is found',
    { timeout: 600_000 },
    async (_, id, { habits, dialects = DIALECTS, also = [], made, endsWithClient }, turn) => {
      const check = (verdict: Verdict) => {
        const { state, reason = '' } = stateOf(verdict, id)
        const serious = seriousIn(verdict)
        const allowed: readonly string[] = [id, ...also]
        const others = serious.filter((finding) => !allowed.includes(finding.id))
        if (others.length > 0) return describeFindings(others)
        const isFound = state === 'found' || serious.length > 0
        return isFound || (state === 'not_observed' && reason !== '') ? undefined : state
      }
      const cells = cellsOf(dialects.slice(0, 4), endsWithClient).filter(
        ({ pace }) => made?.includes(pace) !== false,
      )
      const shown = isDeep
        ? inTurn(cells, turn, 18)
        : sampleOf(
            1,
            cells.filter(({ pace }) => pace === 'manual'),
          )
      expect(await complaints(shown, habits, check)).toEqual([])
    },
  )
})
