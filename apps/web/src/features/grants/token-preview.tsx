import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Notice } from '../../components/notice.tsx'
import { exactJson } from '../policy/json.ts'
import { Sentence } from '../words/sentence.tsx'
import type { Acquaintance } from '../words/who.ts'
import { type PayloadDraft, payloadPreview } from './preview.ts'

interface TokenPreviewProps {
  payload: PayloadDraft
  acquaintance: Acquaintance
  /** Whether the fields say enough for a sentence. */
  ready: boolean
}

/** What is about to be signed: as a sentence and as the payload itself. */
export function TokenPreview({ payload, acquaintance, ready }: TokenPreviewProps) {
  return (
    <Card title="What you are about to sign" className="lg:sticky lg:top-20" level={3}>
      <div className="flex flex-col gap-4">
        {ready ? (
          <Sentence
            acquaintance={acquaintance}
            capability={{
              issuer: payload.issuer,
              audience: payload.audience.trim(),
              subject: payload.subject,
              command: payload.command.trim(),
              policy: payload.policy,
              expiresAt: typeof payload.expiresAt === 'number' ? payload.expiresAt * 1000 : undefined,
            }}
          />
        ) : (
          <p className="text-ink-faint">
            Fill in whom it is for and what they may do: it is put into words here.
          </p>
        )}
        {ready && payload.expiresAt === null ? (
          <Notice tone="warn">It never ends. Whoever has its text can use it for good.</Notice>
        ) : null}
        {ready && payload.policy.length === 0 ? (
          <Notice>No limits: everything that the command covers is allowed.</Notice>
        ) : null}
        <CodeBlock label="payload" text={exactJson(payloadPreview(payload))} tall />
      </div>
    </Card>
  )
}
