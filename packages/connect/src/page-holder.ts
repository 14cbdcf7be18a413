// Everything a page needs from a holder, in one module that is loaded with the first call that needs a key.
import { createHolder, type Holder } from '@keyhole/holder'
import { indexedDbStore } from '@keyhole/holder/browser'

export { redirect, resume } from '@keyhole/holder/redirect'

let own: Holder | undefined

/** The holder of this page's origin. */
export function ownHolder(): Holder {
  own ??= createHolder({ store: indexedDbStore() })
  return own
}
