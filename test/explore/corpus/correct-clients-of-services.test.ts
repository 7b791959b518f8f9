import { it } from 'vitest'
import { sampleOf } from '../../support/deep.js'
import { CLIENTS } from './clients.js'
import { expectNoProblems } from './explore-client.js'

const OF_OTHERS = CLIENTS.filter(({ name }) => !name.startsWith('tasks: '))

it.each(sampleOf(1, OF_OTHERS))('the correct client $name has no problems', expectNoProblems)
