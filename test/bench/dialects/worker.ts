/** A simulator whose tasks are polled in all dialects in turn. */
import { loadLibrary } from '../distribution.js'
import { answerParent } from '../worker.js'
import { measurePolls, SCENARIO } from './polls.js'

const { createSimulator } = await loadLibrary()
const sim = createSimulator({ clock: 'manual', scenario: SCENARIO })

answerParent({ round: () => measurePolls(sim) })
