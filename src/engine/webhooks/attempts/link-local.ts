/**
 * Matches a normalized URL host: fe80::/10; 169.254.0.0/16 within an IPv6 address that maps an IPv4 one (mapped,
 * compatible, NAT64); the metadata service of AWS.
 */
const LINK_LOCAL_IPV6 = /^\[(?:fe[89ab].:|(?:::(?:ffff:)?|64:ff9b::)a9fe:|fd00:ec2::254\])/

/**
 * Whether an IP address is link-local, such as the addresses of cloud metadata services: 169.254.0.0/16, fe80::/10 and
 * fd00:ec2::254, also within an IPv6 address that maps an IPv4 one.
 * @param host an address, with or without brackets and zone; any other text is not link-local
 */
export function isLinkLocal(host: string): boolean {
  if (!host.includes(':')) return /^169\.254\.\d+\.\d+$/.test(host)
  const url = `http://[${host.replace(/^\[|%.*$|\]$/g, '')}]/`
  return URL.canParse(url) && LINK_LOCAL_IPV6.test(new URL(url).hostname)
}
