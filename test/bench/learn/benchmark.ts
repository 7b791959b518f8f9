import type { Figure } from '../figure.js'
import { learnTasks } from './run.js'

const TASKS = 1_000_000
const MEGABYTE = 1_000_000

/** Measures `tasksim learn` with a million tasks that it reads as a stream. */
export async function learn(): Promise<Figure[]> {
  const { status, cpu, peak } = await learnTasks(TASKS)
  if (status !== 0) throw new Error(`tasksim learn exited with ${status}.`)
  const name = `learn: ${TASKS} tasks`
  return [
    { name: `${name}, CPU time`, unit: 'ms', value: cpu, target: { below: 60_000 } },
    { name: `${name}, rate`, unit: 'tasks/s', value: TASKS / (cpu / 1_000) },
    { name: `${name}, peak memory`, unit: 'MB', value: peak / MEGABYTE, target: { below: 500 } },
  ]
}
