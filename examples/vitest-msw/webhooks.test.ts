import { expect, simTest } from 'tasksim/vitest'
import { files, HOOK, receive, start } from './jobs.js'

const test = simTest({ receivers: [{ url: HOOK, handle: receive }] })

test('a job has its file when its webhook has arrived', async ({ sim }) => {
  await start('job_1', 'waves') // names the receiver `https://app.example.com/hooks?job=job_1`
  await sim.clock.runUntilIdle() // ends all tasks, and delivers their webhooks
  expect(files.get('job_1')?.type).toBe('image/png')
  expect(sim).toHaveNoFindings()
})
