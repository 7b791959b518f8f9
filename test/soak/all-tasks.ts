import { Agent } from 'node:http'
import { send } from '../bench/request.js'

/** A task in a list. */
interface Listed {
  readonly id: string
}

interface Page {
  readonly data: readonly Listed[]
  readonly next_cursor: string | null
}

/** Returns all stored tasks of a key, page by page. */
export async function allTasks(port: number, key: string): Promise<Listed[]> {
  const agent = new Agent({ keepAlive: true })
  const tasks: Listed[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path = `/api/v1/tasks?limit=100${cursor === '' ? '' : `&after=${cursor}`}`
    const { status, text } = await send({ agent, port, method: 'GET', path, key, patience: 10_000 })
    if (status !== 200) throw new Error(`Expected a page of tasks, got ${status}: ${text}`)
    const page: Page = JSON.parse(text)
    tasks.push(...page.data)
    cursor = page.next_cursor
  }
  agent.destroy()
  return tasks
}
