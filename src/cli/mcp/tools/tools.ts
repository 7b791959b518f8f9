import { CASE_TOOLS } from './case-tools.js'
import { CONTROL_TOOLS } from './control-tools.js'
import { readDocs } from './read-docs.js'
import { getSimulator, startSimulator } from './simulator-tools.js'
import type { Tool } from './tool.js'
import { waitForTasks } from './wait-for-tasks.js'
import { writeTest } from './write-test.js'

/** All tools. An assistant sees the whole list, so a new tool must be worth its place. */
export const TOOLS: readonly Tool[] = [
  getSimulator,
  startSimulator,
  ...CASE_TOOLS,
  waitForTasks,
  ...CONTROL_TOOLS,
  writeTest,
  readDocs,
]
