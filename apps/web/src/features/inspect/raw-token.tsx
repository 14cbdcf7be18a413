import { Trans, useLingui } from '@lingui/react/macro'
import { exactJson } from '../../shared/policy/json.ts'
import { CodeBlock } from '../../shared/ui/text/code-block.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { shorten } from '../../shared/words/who.ts'

interface RawTokenProps {
  cid: string
  payload: unknown
}

/** A token's CID, and its payload as it was signed. */
export function RawToken({ cid, payload }: RawTokenProps) {
  const { t } = useLingui()
  return (
    <>
      <DidText text={cid} what={t`the CID`} shown={shorten(cid, 8, 8)} />
      <details>
        <summary className="w-fit cursor-pointer rounded-md text-ink-soft text-sm hover:text-ink">
          <Trans>Raw payload</Trans>
        </summary>
        <div className="mt-2">
          <CodeBlock label={t`payload`} text={exactJson(payload)} tall />
        </div>
      </details>
    </>
  )
}
