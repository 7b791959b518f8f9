import { request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { LiveReport } from '../../../src/cli/explore/live-report.js'
import { reportedRun, reportOf } from '../../explore/reports.js'

it('the page of an exploration grows with each run, until its end', async () => {
  const live = await LiveReport.open()
  onTestFinished(() => live.close())
  const runs = [reportedRun('tasks.create#1:503'), reportedRun('tasks.create#1:lost')]
  live.show(reportOf({ runs: [] }), runs)
  expect(await (await fetch(live.url)).text()).toContain('0 of 2 runs have ended.')
  const events = await fetch(`${live.url}events`)
  live.show(reportOf({ runs }), runs)
  live.close()
  const text = await events.text()
  const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
  expect(names).toEqual(['report', 'report', 'end'])
  expect(text).toContain('All runs have ended.')
})

it('the page of an exploration is only for this machine', async () => {
  const live = await LiveReport.open()
  onTestFinished(() => live.close())
  const status = await new Promise((resolve) =>
    request(live.url, { headers: { host: 'evil.example' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).end(),
  )
  expect(status).toBe(403)
})
