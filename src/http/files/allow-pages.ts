import type { Operation } from '../operation.js'
import { PREFLIGHT } from './shared-with-pages.js'

/** Answers a browser that asks whether a page of another origin may fetch a file. */
export const allowPages: Operation = {
  id: 'files.preflight',
  authenticated: false,
  run: () => ({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS', ...PREFLIGHT }, body: undefined }),
}
