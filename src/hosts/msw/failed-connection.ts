/** Leads from the cause of MSW's error to the error of Node's `fetch`. `jest/environment.mjs` has it, too. */
export const FETCH_FAILED = Symbol.for('tasksim.fetchFailed')

/**
 * A connection that the service has closed. MSW fails the request with an error whose `cause` is this response, so the
 * `code` is where clients look for it, as in the errors of Node.
 */
export function failedConnection(when: 'before' | 'during'): Response {
  const cause = when === 'before' ? connectionReset() : otherSideClosed()
  const error = new TypeError('fetch failed', { cause })
  return Object.assign(Response.error(), { code: cause.code, [FETCH_FAILED]: error })
}

function connectionReset() {
  return Object.assign(new Error('read ECONNRESET'), { errno: -104, code: 'ECONNRESET', syscall: 'read' })
}

/** The cause of an error about a response that has ended early. */
export function otherSideClosed() {
  return Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
}
