import { expect, it } from 'vitest'
import { contentSecurityPolicy, pagePolicy } from '../src/server/content-security-policy.js'
import { HOSTS_META } from '../src/shared/vault/hosts-meta.js'
import { didWebHosts } from './did-web-hosts.ts'

it('reads host names and drops duplicates', () => {
  expect(didWebHosts(' Shop.example, mybank.example\nshop.example ')).toEqual([
    'mybank.example',
    'shop.example',
  ])
  expect(didWebHosts('')).toEqual([])
})

it.each([
  'a.example;script-src *',
  'https://a.example',
  'a.example/',
  '*.example',
  'a.example:8443',
  'a..example',
  '-a.example',
  '"><script>',
  'bücher.example',
])('refuses %s, which isn’t a host name', (list) => {
  expect(() => didWebHosts(list)).toThrow('is no host name')
})

it('allows requests to the hosts a page names and to no others', () => {
  const policy = pagePolicy(
    `<title>x</title><meta name="${HOSTS_META}" content="mybank.example shop.example">`,
  )
  expect(contentSecurityPolicy(policy)).toContain(
    "; connect-src 'self' https://mybank.example https://shop.example;",
  )
  expect(contentSecurityPolicy(pagePolicy('<title>x</title>'))).toContain("; connect-src 'self';")
})
