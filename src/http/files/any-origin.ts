import type { OtherOperation } from '../operation.js'

/** Allows pages of any origin to fetch files and read the answers, as CDNs do. */
export const SHARED: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * Answers a browser that asks whether a page of another origin may fetch or send a file.
 * @param methods the allowed ones, such as `GET, HEAD, OPTIONS`
 */
export function allowPages(methods: string): OtherOperation {
  return {
    id: 'files.preflight',
    run: () => ({
      status: 204,
      headers: {
        allow: methods,
        ...SHARED,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': `Authorization, ${methods.includes('PUT') ? 'Content-Type, ' : ''}If-Modified-Since, If-None-Match, If-Range, Range`,
        'access-control-max-age': '600',
      },
      body: undefined,
    }),
  }
}
