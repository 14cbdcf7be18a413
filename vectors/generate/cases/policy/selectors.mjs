// Where selectors lead.

import { casesOf } from '../../case.mjs'
import { alice, bob } from '../../keys.mjs'
import { delegate, invoke } from '../../token.mjs'

const ARGS = {
  a: { b: [10, 20, 30, 40], only: { c: 'x' } },
  _x1: true,
  'x-y': 'dash',
  'with space': 's',
  é: 1,
  'q"': 2,
  '': 6,
  n: null,
  s: 'text',
  i: 7,
  m: {},
  o: { z: 5 },
  k: { bb: 1, c: 2, a: 3, aaa: 4 },
  bin: Buffer.from([0, 1, 127, 128, 255]),
}

/** @type {[string, unknown, string][]} */
const LEADS = [
  ['.', ARGS, 'a lone dot is the whole'],
  ['._x1', true, 'a name with an underscore and a digit'],
  ['.x-y', 'dash', 'a name with a dash'],
  ['.a.b', [10, 20, 30, 40], 'a name within a name'],
  ['.["with space"]', 's', 'a key in quotes'],
  ['.["é"]', 1, 'a key in quotes that is no ASCII'],
  ['.["q\\""]', 2, 'a key with an escaped quote'],
  ['.[""]', 6, 'the empty key'],
  ['.a["b"]', [10, 20, 30, 40], 'a key in quotes after a name'],
  ['.["a"].b', [10, 20, 30, 40], 'a name after a key in quotes'],
  ['.a["b"][1]', 20, 'an index after a key in quotes'],
  ['.missing', null, 'a key that a map has not is null'],
  ['.n', null, 'a key whose value is null'],
  ['.a.b[0]', 10, 'the first item'],
  ['.a.b[3]', 40, 'the last item'],
  ['.a.b[-1]', 40, 'the last item from the end'],
  ['.a.b[-4]', 10, 'the first item from the end'],
  ['.a.b[]', [10, 20, 30, 40], 'the items of a list'],
  ['.o[]', [5], 'the values of a map'],
  ['.k[]', [3, 2, 1, 4], 'the values of a map in the order of its encoding'],
  ['.m[]', [], 'the values of an empty map'],
  ['.a.only[][0]', 'x', 'an index into the values of a map'],
  ['.a.b[1:3]', [20, 30], 'a slice'],
  ['.a.b[2:]', [30, 40], 'a slice to the end'],
  ['.a.b[:2]', [10, 20], 'a slice from the start'],
  ['.a.b[-2:]', [30, 40], 'a slice from before the end'],
  ['.a.b[0:-2]', [10, 20], 'a slice to before the end'],
  ['.a.b[1:1]', [], 'a slice of nothing'],
  ['.a.b[3:1]', [], 'a slice whose end is before its start'],
  ['.a.b[2:99]', [30, 40], 'a slice past the end'],
  ['.a.b[9:]', [], 'a slice that starts past the end'],
  ['.a.b[4294967296:]', [], 'a slice that starts past what 32 bits count'],
  ['.a.b[:4294967296]', [10, 20, 30, 40], 'a slice that ends past what 32 bits count'],
  ['.a.b[1:9223372036854775807]', [20, 30, 40], 'a slice that ends at the last index'],
  ['.a.b[9223372036854775807:]', [], 'a slice that starts at the last index'],
  ['.a.b[-4294967297:2]', [10, 20], 'a slice that starts 32 bits before the start'],
  ['.a.b[:-4294967297]', [], 'a slice that ends 32 bits before the start'],
  ['.bin[4294967297:]', Buffer.alloc(0), 'a slice of bytes that starts past what 32 bits count'],
  ['.a.b[1:][1:][0]', 30, 'a slice of a slice'],
  ['.bin[2]', 127, 'a byte by its index is a number'],
  ['.bin[4]', 255, 'a byte is without a sign'],
  ['.bin[-2]', 128, 'a byte from the end'],
  ['.bin[1:3]', Buffer.from([1, 127]), 'a slice of bytes is bytes'],
  ['.bin[]', Buffer.from([0, 1, 127, 128, 255]), 'the items of bytes are the bytes'],
  ['.missing?', null, 'an optional key that is missing'],
  ['.i.x?', null, 'an optional key of a number'],
  ['.a.b[99]?', null, 'an optional index past the end'],
  ['.bin[99]?', null, 'an optional index past the end of bytes'],
  ['.s[]?', null, 'optional items of a text'],
  ['.i[0:1]?', null, 'an optional slice of a number'],
  ['.a.b?', [10, 20, 30, 40], 'an optional key that is there'],
  ['.a?.b?[0]?', 10, 'optional parts one after the other'],
]

/** @type {[string, string][]} */
const LEADS_NOWHERE = [
  ['.a.b[4]', 'an index past the end'],
  ['.a.b[-5]', 'an index from before the start'],
  ['.a.b[4294967296]', 'an index that is the first one in 32 bits'],
  ['.a.b[-4294967296]', 'an index that is the first one in 32 bits, from the end'],
  ['.a.b.c', 'a key of a list'],
  ['.s.x', 'a key of a text'],
  ['.s[0]', 'an index into a text'],
  ['.s[]', 'the items of a text'],
  ['.i[]', 'the items of a number'],
  ['.i[0:1]', 'a slice of a number'],
  ['.n.x', 'a key of null'],
  ['.n[0]', 'an index into null'],
  ['.o[0]', 'an index into a map'],
  ['.o[0:1]', 'a slice of a map'],
  ['.bin[5]', 'an index past the end of bytes'],
  ['.bin["x"]', 'a key of bytes'],
  ['.missing.x', 'a key of what is missing'],
  ['.missing[0]', 'an index into what is missing'],
  ['.a.b[9]?.x', 'a key of the null of an optional part'],
  ['.i.x.y?', 'an optional part after one that is not'],
]

/** Each path, by == where it leads somewhere, and by != where it does not: null would be unlike the text. */
export function selectors() {
  const { cases, accept, refuse } = casesOf('selector')
  const given = (/** @type {unknown[]} */ statement) => {
    const root = delegate({ from: alice, to: bob, pol: [statement] })
    return { root, invocation: invoke({ by: bob, sub: alice, args: ARGS, proofs: [root] }) }
  }
  for (const [path, value, words] of LEADS) {
    const { root, invocation } = given(['==', path, value])
    accept(`${path} leads on: ${words}`, invocation, [root])
  }
  for (const [path, words] of LEADS_NOWHERE) {
    const { root, invocation } = given(['!=', path, 'no such value'])
    refuse(`${path} leads nowhere: ${words}`, 'MatchError', root, invocation, [root])
  }
  const { root, invocation } = given(['==', '.a.b[1]', 10])
  refuse('the item after the one that is meant is another', 'MatchError', root, invocation, [root])
  return cases
}
