/** Addresses that a connection could reach, and that webhooks must not reach: as a resolver returns them. */
export const LINK_LOCAL: readonly string[] = [
  ...['169.254.169.254', '169.254.0.0', '169.254.255.255', 'fe80::1', 'fe80::1%eth0'],
  ...['febf:ffff::', 'FE80::abcd', 'fd00:ec2::254', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe'],
  ...['::169.254.169.254', '64:ff9b::169.254.169.254', '0:0:0:0:0:ffff:a9fe:1', '::ffff:0:169.254.169.254'],
  // NAT64 with both prefixes, 6to4, Teredo and ISATAP.
  ...['64:ff9b::a9fe:1', '64:ff9b:1::a9fe:a9fe', '64:ff9b:1:a9fe:0:fe00::', '2002:a9fe:a9fe::'],
  ...['2002:A9FE:1:2::3', '2001:0:a9fe:a9fe::1', '2001::5601:5601', '2001:0:1:2:3:4:5601:1'],
  ...['2001:db8::5efe:169.254.169.254', '2001:db8::200:5efe:a9fe:1', '::ffff:169.254.1.1%eth0'],
  ...['fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fea0::'],
]

/** Other notations of such addresses in URLs. */
export const LINK_LOCAL_HOSTS: readonly string[] = [
  // Octal, hexadecimal and short notations.
  ...[
    '0251.0376.0251.0376',
    '0xa9.0xfe.0xa9.0xfe',
    '0xA9FEA9FE',
    '2852039166',
    '169.254.43518',
    '169.16689662',
  ],
  ...['169.254.169.254.', '１６９.254.169.254', '169。254。169。254'],
  ...['[fe80::1]', '[2002:a9fe:a9fe::]', '[fe80::1%25eth0]'],
]

/** URLs of such addresses. */
export const LINK_LOCAL_URLS: readonly string[] = [
  ...['http://169.254.169.254/latest/meta-data', 'http://0xA9FEA9FE/', 'http://2852039166/'],
  ...['http://169.254.43518/', 'http://169.254.169.254.:8080/', 'http://[fe80::1]:3000/'],
  ...['http://[::ffff:169.254.169.254]/', 'http://[2002:a9fe:a9fe::]/', 'http://0251.0376.0251.0376/'],
  'http://%31%36%39.254.169.254/',
]
