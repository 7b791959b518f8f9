import { it } from 'vitest'
import { sampleOf } from '../../support/deep.js'
import { CLIENTS } from './clients.js'
import { expectNoProblems } from './explore-client.js'

const OF_THE_SERVICE = CLIENTS.filter(({ name }) => name.startsWith('tasks: '))

it.each(sampleOf(1, OF_THE_SERVICE))('the correct client $name has no problems', expectNoProblems)
