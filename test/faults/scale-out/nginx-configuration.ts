import { readFileSync } from 'node:fs'

const EXAMPLE = new URL('../../../examples/scale-out/nginx.conf', import.meta.url)

/** The first port of the example: that of all clients. Those of the partitions follow. */
const FIRST_PORT = 4010

/** The places where nginx keeps files of its own, which the image of a container has. */
const PLACES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * The configuration of the example, with other addresses.
 * @param ports those on which nginx listens, in the order of the example
 * @param servers the servers, by their host names in the example
 * @param folder where nginx keeps its files
 */
export function nginxConfiguration(
  ports: readonly number[],
  servers: Readonly<Record<string, { readonly port: number }>>,
  folder: string,
): string {
  let text = readFileSync(EXAMPLE, 'utf8')
  for (const [index, port] of ports.entries())
    text = replaced(text, `listen ${FIRST_PORT + index};`, `listen 127.0.0.1:${port};`)
  for (const [name, { port }] of Object.entries(servers))
    text = replaced(text, `server ${name}:4010 `, `server 127.0.0.1:${port} `)
  const places = PLACES.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  return replaced(text, 'http {', `http { ${places}`)
}

function replaced(text: string, before: string, after: string): string {
  if (text.includes(before)) return text.replaceAll(before, after)
  throw new Error(`Expected ${JSON.stringify(before)} in nginx.conf of the example`)
}
