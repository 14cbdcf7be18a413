// An invocation holds once.

import { casesOf } from '../case.mjs'
import { alice, bob } from '../keys.mjs'
import { delegate, invoke } from '../token.mjs'

/** By the CID of the invocation, and nothing else. */
export function replays() {
  const { cases, accept, refuse } = casesOf('replay')
  const root = delegate({ from: alice, to: bob })
  const first = invoke({ by: bob, sub: alice, proofs: [root] })
  const second = invoke({ by: bob, sub: alice, proofs: [root], nonce: Buffer.from([2]) })
  const self = invoke({ by: alice })
  accept('an invocation that was not seen', first, [root], { seen: [] })
  refuse('an invocation that was seen', 'Replayed', first, first, [root], { seen: [first.cid] })
  refuse('an invocation that was seen among others', 'Replayed', first, first, [root], {
    seen: [second.cid, first.cid, self.cid],
  })
  refuse('an invocation that was seen, by its CID in base58', 'Replayed', first, first, [root], {
    seen: [first.base58],
  })
  accept('the same with another nonce is another', second, [root], { seen: [first.cid] })
  accept('its proof may have been seen', first, [root], { seen: [root.cid] })
  refuse('what the subject did itself was seen', 'Replayed', self, self, [], { seen: [self.cid] })
  const idempotent = invoke({ by: alice, nonce: Buffer.alloc(0) })
  refuse('without a nonce it was seen all the same', 'Replayed', idempotent, idempotent, [], {
    seen: [idempotent.cid],
  })
  return cases
}
