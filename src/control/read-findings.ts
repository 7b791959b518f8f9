import type { Operation } from '../http/operation.js'
import { wordIn } from '../http/page-query.js'
import { json } from '../http/reply.js'
import { queryOf } from './own-fields.js'
import { verdictShape } from './verdict-shape.js'

/** Tells what the client under test did wrong; with `final=true`, as if it would send nothing more. */
export const readFindings: Operation = {
  id: 'sim.findings.read',
  authenticated: false,
  async run(exchange) {
    const final = wordIn(queryOf(exchange, ['final']), 'final', ['true', 'false']) === 'true'
    return json(200, verdictShape(await exchange.sim.verdict({ final })))
  },
}
