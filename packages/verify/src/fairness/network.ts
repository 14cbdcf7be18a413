/**
 * The network an address counts towards: an IPv4 address itself, or the first 56 bits of an IPv6 address, because one
 * customer usually gets that whole range.
 */
export function networkOf(address: string): string {
  // Some proxies add the client's port: each connection would be a network of its own.
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(address) ?? []
  const host = bracketed ?? dotted ?? address
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]`)) return plain
  // The URL parser writes each IPv6 address in one form, with the longest run of zeros as `::`.
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const first = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - first.length - rest.length
  const [a, b, c, d = '0'] = [...first, ...new Array<string>(zeros).fill('0'), ...rest]
  return `${a}:${b}:${c}:${d.padStart(4, '0').slice(0, 2)}`
}
