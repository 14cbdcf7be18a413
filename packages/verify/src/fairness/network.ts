/** The network that an address counts for: IPv4 addresses for themselves, IPv6 addresses by their first 56 bits, of which a customer has at least that many. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]`)) return plain
  // The URL parser writes each IPv6 address in one way, with the longest run of zeros as `::`.
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const first = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - first.length - rest.length
  const [a, b, c, d = '0'] = [...first, ...new Array<string>(zeros).fill('0'), ...rest]
  return `${a}:${b}:${c}:${d.padStart(4, '0').slice(0, 2)}`
}
