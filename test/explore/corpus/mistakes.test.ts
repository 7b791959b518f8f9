import { it } from 'vitest'
import { isDeep } from '../../support/deep.js'
import { expectFound } from './explore-client.js'
import { MISTAKES } from './mistakes.js'

/** Without `--mode deep`: those that a few failures show. */
const FOUND_BY_FEW = ['no timeout', 'blind retry', 'no deadline']
const PLANTED = isDeep
  ? MISTAKES
  : MISTAKES.filter(({ client, mistake }) => client === 'tasks: poll' && FOUND_BY_FEW.includes(mistake))

it.each(PLANTED)('a problem shows that $client makes the mistake: $mistake', expectFound)
