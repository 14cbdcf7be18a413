// A feed as one JSON document. It is read and sent page by page, because owners decide how long their feed is.
import type { RelayStore } from '../stores/store.ts'
import { toJson } from './events.ts'
import { PAGE } from './listeners.ts'

const utf8 = new TextEncoder()

/** The revocations of a feed up to `last`. If the store fails meanwhile, the document is cut off and doesn't parse. */
export function snapshotOf(
  store: RelayStore,
  subject: string,
  last: number,
  epoch: string,
): ReadableStream<Uint8Array> {
  let seq = 0
  let separator = ''
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const id = JSON.stringify(`${epoch}.${last}`)
        controller.enqueue(utf8.encode(`{"last_event_id":${id},"revocations":[`))
      },
      async pull(controller) {
        const found = seq < last ? await store.revocationsSince(subject, seq, PAGE) : []
        const page = found.filter((each) => each.seq <= last)
        if (page.length > 0) {
          controller.enqueue(utf8.encode(separator + page.map((each) => JSON.stringify(toJson(each))).join()))
          separator = ','
        }
        seq = page.at(-1)?.seq ?? last
        if (seq < last) return
        controller.enqueue(utf8.encode(']}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
