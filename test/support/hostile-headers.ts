/** Names of headers that belong to a connection: nobody but tasksim may set them. */
export const OF_CONNECTION: readonly string[] = [
  ...['connection', 'Content-Length', 'EXPECT', 'host', 'Keep-Alive', 'proxy-connection'],
  ...[
    'Proxy-Authenticate',
    'Proxy-Authorization',
    'te',
    'Trailer',
    'Transfer-Encoding',
    'upgrade',
    '__proto__',
  ],
]

/** Texts that are not the name of a header. */
export const NOT_NAMES: readonly string[] = [
  ...['', ' ', 'X A', 'X:', ':path', 'X-A\r\n', 'X-A\r\nX-B', 'X\u0000', 'é', '\u212aeep-alive'],
]

/** Names that clients and files may choose. */
export const SETTABLE: readonly string[] = [
  ...['Authorization', 'X-Own', 'content-type', 'Cookie', 'x_own', 'constructor', 'Hosts', 'Tea'],
]

/** Values of headers, and what reaches the other side if a template writes them. */
export const VALUES: readonly (readonly [value: string, sent: string])[] = [
  ['plain; a="b"\tc', 'plain; a="b"\tc'],
  ['a\r\nX-B: c', 'a%0D%0AX-B: c'],
  ['a\r\n\r\nGET / HTTP/1.1\r\n', 'a%0D%0A%0D%0AGET / HTTP/1.1%0D%0A'],
  ['a\nX-B: c', 'a%0AX-B: c'],
  ['a\rX-B: c', 'a%0DX-B: c'],
  ['\u0000\u001f\u007f\u0085', '%00%1F%7F%C2%85'],
  ['\u2028\u010a', '%E2%80%A8%C4%8A'],
  ['é', '%C3%A9'],
  ['a 猫 b', 'a %E7%8C%AB b'],
  ['😀', '%F0%9F%98%80'],
  ['half \ud83d.', 'half %EF%BF%BD.'],
  ['a'.repeat(9_000), 'a'.repeat(8_000)],
  ['\n'.repeat(9_000), '%0A'.repeat(9_000).slice(0, 8_000)],
]
