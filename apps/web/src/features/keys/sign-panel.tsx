import { toBase64Url } from '@keyhole/vault/base64url'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../shared/hooks/use-action.ts'
import { tooLong } from '../../shared/text/too-long.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { CodeBlock } from '../../shared/ui/text/code-block.tsx'
import { KeyChoice } from '../../shared/vault/key-choice.tsx'
import { SourceField, sourceBytes, sourceName, useSource } from './payload-source.tsx'

/** Signs a text or a file with one of the account's keys. */
export function SignPanel() {
  const { t } = useLingui()
  const vault = useVault()
  const { keys, defaultKey } = useVaultSnapshot()
  const [source, setSource] = useSource('sign')
  const [keyId, setKeyId] = useState(defaultKey ?? keys[0]?.key_id ?? '')
  const [signed, setSigned] = useState<{ what: string; signature: string; did: string }>()
  const [problem, setProblem] = useState<string>()
  const key = keys.find((candidate) => candidate.key_id === keyId) ?? keys[0]

  const sign = useAction(async () => {
    const bytes = sourceBytes(source)
    if (bytes.length === 0) {
      setProblem(t`Type a text or choose a file to sign.`)
      return
    }
    if (!source.file && tooLong(source.text)) return
    const signature = await vault.sign(bytes, key?.key_id)
    setSigned({ what: sourceName(source), signature: toBase64Url(signature), did: key?.did ?? '' })
  })
  const what = signed?.what ?? ''
  return (
    <Card
      title={t`Sign`}
      description={t`Proves that you signed a text or a file, and that it hasn’t changed since.`}
    >
      <Form onSubmit={sign.run}>
        <SourceField
          label={t`Text to sign`}
          source={source}
          onSourceChange={(next) => {
            setProblem(undefined)
            setSigned(undefined)
            setSource(next)
          }}
          error={problem}
        />
        <KeyChoice label={t`Signed with`} keys={keys} chosen={key} onChoose={setKeyId} />
        <FormEnd action={sign} icon={<PenLine className="size-4" aria-hidden />}>
          <Trans>Sign</Trans>
        </FormEnd>
      </Form>
      {signed ? (
        <div className="mt-5 flex flex-col gap-3">
          <Notice tone="good">
            <Trans>Signed {what}. To check it, someone needs the text, this signature and your DID.</Trans>
          </Notice>
          <CodeBlock label={t`signature`} text={signed.signature} />
          <CodeBlock label={t`signer`} text={signed.did} />
        </div>
      ) : null}
    </Card>
  )
}
