// Which addresses of the network a service may have. A name that leads to this machine or its network would let a call reach what is there.
import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(address, bits, 'ipv4')
/** Addresses on the internet are in 2000::/3. Among them, those that stand for others are left out: Teredo, 6to4, documentation. */
const PUBLIC_6 = new BlockList()
PUBLIC_6.addSubnet('2000::', 3, 'ipv6')
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE.addSubnet(address, bits, 'ipv6')

/** Whether an IP address is one on the internet. */
export function isPublic(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !PRIVATE.check(address, 'ipv4')
  return kind === 6 && PUBLIC_6.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')
}

/** Why a connection wasn't made. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Looks up a name for a connection, and gives public addresses alone: what is connected to is what was checked. */
export function publicLookup(host: string, options: { readonly all?: boolean }, callback: Callback): void {
  lookup(host, { all: true }, (error, found) => {
    if (error) return callback(error, [])
    const usable = found.filter(({ address }) => isPublic(address))
    const [first] = usable
    if (!first) return callback(new PrivateAddress(`${host} leads to no public address.`), [])
    if (options.all) return callback(null, usable)
    callback(null, first.address, first.family)
  })
}
