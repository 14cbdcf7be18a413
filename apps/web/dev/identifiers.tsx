import { Card } from '../src/shared/ui/layout/card.tsx'
import { Facts } from '../src/shared/ui/layout/facts.tsx'
import { KeyholeMark } from '../src/shared/ui/layout/keyhole-mark.tsx'
import { HandOver } from '../src/shared/ui/sharing/hand-over.tsx'
import { QrButton } from '../src/shared/ui/sharing/qr-button.tsx'
import { AndMore } from '../src/shared/ui/text/and-more.tsx'
import { CodeBlock } from '../src/shared/ui/text/code-block.tsx'
import { DidText } from '../src/shared/ui/text/did-text.tsx'
import { Identicon } from '../src/shared/ui/text/identicon.tsx'
import { TimeText } from '../src/shared/ui/text/time-text.tsx'

const DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const MINUTE = 60_000
const now = Date.now()

/** Names, keys and times. */
export function Identifiers() {
  return (
    <Card title="Identifiers and times">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-2">
          {Array.from({ length: 24 }, (_, at) => `${DID}${at}`).map((text) => (
            <Identicon key={text} text={text} className="size-8" />
          ))}
        </div>
        <Facts
          facts={[
            ['DID', <DidText key="did" text={DID} what="the DID" />],
            ['Short', <DidText key="short" text="did:web:a.example" what="the DID" />],
            ['Named', <DidText key="named" text={DID} what="the DID" shown="Anna" />],
            ['A moment ago', <TimeText key="now" at={now} />],
            ['Soon', <TimeText key="soon" at={now + 5 * MINUTE} />],
            ['Long ago', <TimeText key="ago" at={now - 90 * 24 * 60 * MINUTE} />],
            ['Never', <TimeText key="never" at={Number.NaN} />],
            ['QR code', <QrButton key="qr" text={DID} what="the DID" />],
            [
              'QR code of too much',
              <QrButton key="much" text={DID.repeat(60)} what="the text" label="Show" />,
            ],
          ]}
        />
        <HandOver text={DID} label="DID" what="the DID" />
        <CodeBlock label="token" text={DID.repeat(8)} breaks="anywhere" />
        <ul>
          <li>The first of a list</li>
          <AndMore count={1} />
          <AndMore count={12} />
        </ul>
        <div className="flex gap-4">
          <KeyholeMark className="size-10 text-ink" />
          <KeyholeMark className="size-10 text-ink" lit />
        </div>
      </div>
    </Card>
  )
}
