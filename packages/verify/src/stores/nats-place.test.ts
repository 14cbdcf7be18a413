import { expect, it } from 'vitest'
import { natsPlace } from './nats-place.ts'

it.each([
  [['10.0.0.1:4222'], { servers: ['10.0.0.1:4222'] }],
  [['nats://a.example', 'b.example:4222'], { servers: ['a.example', 'b.example:4222'] }],
  [['[::1]:4222'], { servers: ['[::1]:4222'] }],
  [
    ['nats://keeper:p%40s%3As@a.example:4222', 'b.example:4222'],
    { servers: ['a.example:4222', 'b.example:4222'], user: 'keeper', pass: 'p@s:s' },
  ],
])('reads %s', (addresses, place) => {
  expect(natsPlace(addresses)).toEqual(place)
})

it.each([
  [[]],
  [['']],
  [['nats://']],
  [['a b']],
  [['u:%zz@a.example']],
  [['u:hidden@a.example:999999']],
  // A password whose # or / isn't escaped, and another kind of address.
  [['nats://u:1#hidden@a.example:4222']],
  [['nats://u:1/hidden@a.example:4222']],
  [['u:1?hidden@a.example']],
  [['tls://u:hidden@a.example:4222']],
])('refuses %s, and repeats nothing of it', (addresses) => {
  expect(() => natsPlace(addresses)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTIONS', message: expect.not.stringMatching(/hidden|%zz/) }),
  )
})
