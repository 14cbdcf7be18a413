import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { ScanButton } from '../../shared/ui/sharing/scan-button.tsx'
import { type Asked, askedByText } from './use-asked.ts'

/** Takes a text request, pasted or from a QR code. */
export function PasteRequest({ onAsked }: { onAsked: (asked: Asked) => void }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const read = (from: string) => {
    if (from.trim() === '') {
      setProblem(t`Paste the request first.`)
      return
    }
    const asked = askedByText(from)
    if (asked.state === 'wrong' && asked.refusal.code === 'INVALID_REQUEST')
      setProblem(
        t`This isn’t a request, or part of it is missing. A request starts with keyhole-request-1, or is a link that ends in one.`,
      )
    else onAsked(asked)
  }
  return (
    <Card>
      <Form onSubmit={() => read(text)}>
        <TextArea
          label={t`The request`}
          mono
          rows={5}
          placeholder="keyhole-request-1.…"
          value={text}
          onValueChange={(next) => {
            setText(next)
            setProblem(undefined)
          }}
          onCommit={() => read(text)}
          error={problem}
        />
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" type="submit">
            <Trans>Read request</Trans>
          </Button>
          <ScanButton
            what={t`a request`}
            onText={(found) => {
              setText(found)
              read(found)
            }}
          />
        </div>
      </Form>
    </Card>
  )
}
