/** Lets a page of any origin fetch files and see what was said of them, as CDNs do. */
export const SHARED: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
}

/** What a browser is told that asks before it fetches. */
export const PREFLIGHT: Readonly<Record<string, string>> = {
  ...SHARED,
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, If-Modified-Since, If-None-Match, If-Range, Range',
  'access-control-max-age': '600',
}
