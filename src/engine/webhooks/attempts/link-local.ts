/**
 * Matches all groups of an IPv6 address that is link-local, or at which cloud machines serve their credentials: within
 * 169.254.0.0/16, which is `a9fe` in hexadecimal, in each notation for an IPv4 address; and the metadata services of AWS,
 * Google and Oracle.
 */
const STARTS = [
  'fe[89ab].:',
  // IPv4-compatible, mapped and translated: RFC 4291, section 2.5.5, and RFC 2765.
  '(0:){4}(0:0|0:ffff|ffff:0):a9fe:',
  // NAT64: RFC 6052 and RFC 8215.
  '64:ff9b:((.+:){4}|1:)a9fe:',
  // 6to4: RFC 3056.
  '2002:a9fe:',
  // The server and, with inverted bits, the client of Teredo: RFC 4380.
  '2001:0:(a9fe:|(.+:){4}5601:)',
  // ISATAP: RFC 5214.
  '(.+:){4}(200|0):5efe:a9fe:',
  'fd(00:ec2|20:ce):(0:){5}254$',
  'fd00:c1:(0:){4}a9fe:',
]
const LINK_LOCAL = new RegExp(`^(?:${STARTS.join('|')})`)

/**
 * Whether an IP address is link-local, or is a metadata service of cloud machines, which serves their credentials.
 * @param host an address in any notation, with or without brackets and zone; any other text is not link-local
 */
export function isLinkLocal(host: string): boolean {
  if (!host.includes(':')) return /^169\.254\.\d+\.\d+$/.test(normalized(host))
  return LINK_LOCAL.test(allGroups(normalized(`[${host.replace(/^\[|%.*$|\]$/g, '')}]`).slice(1, -1)))
}

/** A host as the platform writes it, such as 169.254.0.1 for 0xa9fe0001; empty if it is not valid. */
function normalized(host: string): string {
  const url = `http://${host}/`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** A normalized IPv6 address without its abbreviation of zeros. */
function allGroups(address: string): string {
  const given = address.split(':').filter(Boolean).length
  return address.replace('::', `:${'0:'.repeat(8 - given)}`).replace(/^:|:$/g, '')
}
