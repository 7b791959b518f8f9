import type { Operation } from '../operation.js'
import { json } from '../reply.js'
import { findingsBody } from './findings-body.js'
import { wordIn } from './page-query.js'

/** Tells what the client under test did wrong; with `final=true`, as if it would send nothing more. */
export const readFindings: Operation = {
  id: 'sim.findings.read',
  authenticated: false,
  run({ sim, request }) {
    const final = wordIn(new URLSearchParams(request.query), 'final', ['true', 'false']) === 'true'
    return json(200, findingsBody(sim.verdict({ final })))
  },
}
