/**
 * The starts of IPv6 addresses at which cloud machines serve their credentials: within 169.254.0.0/16, which is `a9fe` in
 * hexadecimal, in each notation for an IPv4 address; and the metadata services of AWS, Google and Oracle.
 */
const METADATA = [
  // IPv4-compatible, mapped and translated: RFC 4291, section 2.5.5, and RFC 2765.
  '0:0:0:0:0:0:a9fe',
  '0:0:0:0:0:ffff:a9fe',
  '0:0:0:0:ffff:0:a9fe',
  // NAT64: RFC 6052 and RFC 8215.
  '64:ff9b:*:*:*:*:a9fe',
  '64:ff9b:1:a9fe',
  // 6to4: RFC 3056.
  '2002:a9fe',
  // The server and, with inverted bits, the client of Teredo: RFC 4380.
  '2001:0:a9fe',
  '2001:0:*:*:*:*:5601',
  // ISATAP: RFC 5214.
  '*:*:*:*:0:5efe:a9fe',
  '*:*:*:*:200:5efe:a9fe',
  'fd00:ec2:0:0:0:0:0:254',
  'fd20:ce:0:0:0:0:0:254',
  'fd00:c1:0:0:0:0:a9fe:a9fe',
].map((start) => start.split(':'))

const GROUPS = 8

/**
 * Whether an IP address is link-local, or is a metadata service of cloud machines, which serves their credentials.
 * @param host an address in any notation, with or without brackets and zone; any other text is not link-local
 */
export function isLinkLocal(host: string): boolean {
  if (!host.includes(':')) return /\d/.test(host) && /^169\.254\.\d+\.\d+$/.test(normalized(host) ?? '')
  const address = normalized(`[${host.replace(/^\[|%.*$|\]$/g, '')}]`)
  if (address === undefined) return false
  const groups = groupsOf(address.slice(1, -1))
  const startsWith = (start: readonly string[]) =>
    start.every((group, at) => group === '*' || group === groups[at])
  return /^fe[89ab].$/.test(groups[0] ?? '') || METADATA.some(startsWith)
}

/** A host as the platform writes it, such as 169.254.0.1 for 0xa9fe0001; undefined if it is not valid. */
function normalized(host: string): string | undefined {
  const url = `http://${host}/`
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/** All groups of a normalized IPv6 address. */
function groupsOf(address: string): string[] {
  const [start = [], end = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  return [...start, ...new Array<string>(GROUPS - start.length - end.length).fill('0'), ...end]
}
