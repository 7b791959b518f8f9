import type { Scenario } from '../scenario/scenario.js'

/**
 * Reads a recording of `tasksim record` as a scenario. A request that was recorded gets the recorded task: its delays, its
 * error or output, its cost, and the same answers with the times and URLs of the simulator. The nth equal request gets
 * the nth recorded task. Other requests get tasks that behave as learned from the recording. The code is loaded on first
 * use.
 * @param text the content of the file
 * @param name the name of the scenario, in messages
 * @throws UsageError if it is not a valid recording, with the line, the field and the remedy
 * @example
 * const scenario = await parseRecording(await readFile('production.jsonl', 'utf8'))
 * const sim = createSimulator({ scenario, clock: 'manual' })
 */
export async function parseRecording(text: string, name = 'recording'): Promise<Scenario> {
  const { readReplay } = await import('./replay/read-replay.js')
  return readReplay(piecesOf(text), { name, onIncomplete: () => {} })
}

async function* piecesOf(text: string): AsyncGenerator<string, void, void> {
  yield text
}
