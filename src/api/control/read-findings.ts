import type { Operation } from '../operation.js'
import { wordIn } from '../page-query.js'
import { json } from '../reply.js'
import { verdictShape } from './verdict-shape.js'

/** Tells what the client under test did wrong; with `final=true`, as if it would send nothing more. */
export const readFindings: Operation = {
  id: 'sim.findings.read',
  authenticated: false,
  async run({ sim, request }) {
    const final = wordIn(new URLSearchParams(request.query), 'final', ['true', 'false']) === 'true'
    return json(200, verdictShape(await sim.verdict({ final })))
  },
}
