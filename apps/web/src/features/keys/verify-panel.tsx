import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { useTextDraft } from '../../shared/hooks/drafts.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { tooLong } from '../../shared/text/too-long.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { didProblem } from '../../shared/words/recognise.ts'
import { shorten, signedWho } from '../../shared/words/who.ts'
import { SourceField, sourceBytes, sourceName, useSource } from './payload-source.tsx'
import { readSignature } from './signature-text.ts'

interface Problems {
  source?: string
  signature?: string
  did?: string
}

interface VerdictProps {
  valid: boolean
  signer: string
  what: string
}

/** Checks a signature over a text or a file. Needs no key. */
export function VerifyPanel() {
  const { t } = useLingui()
  const vault = useVault()
  const { issuerDid } = useVaultSnapshot()
  const [source, setSource] = useSource('verify')
  const [signature, setSignature] = useTextDraft('verify-signature')
  const [did, setDid] = useTextDraft('verify-did')
  const [problems, setProblems] = useState<Problems>({})
  const [verdict, setVerdict] = useState<VerdictProps>()

  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      setProblems({})
      setVerdict(undefined)
      verify.clear()
      set(value)
    }
  }
  const verify = useAction(async () => {
    const bytes = sourceBytes(source)
    const read = readSignature(signature)
    const signer = did.trim() === '' ? issuerDid : did.trim()
    const badDid = signer === undefined ? t`Paste the signer’s DID.` : didProblem(signer)
    const found: Problems = {
      ...(bytes.length === 0 && { source: t`Type the text or choose the file that was signed.` }),
      ...('problem' in read && { signature: read.problem }),
      ...(badDid !== undefined && { did: badDid }),
    }
    setProblems(found)
    if (Object.keys(found).length > 0 || !('bytes' in read) || signer === undefined) return
    if (!source.file && tooLong(source.text)) return
    const valid = await vault.verify(bytes, read.bytes, signer)
    setVerdict({ valid, signer, what: sourceName(source) })
  })
  return (
    <Card
      title={t`Check a signature`}
      description={t`Checks whether the DID you name signed a text or a file. No unlocking needed.`}
    >
      <Form onSubmit={verify.run}>
        <SourceField
          label={t`Text that was signed`}
          source={source}
          onSourceChange={change(setSource)}
          error={problems.source}
        />
        <TextArea
          label={t`Signature`}
          mono
          rows={2}
          value={signature}
          onValueChange={change(setSignature)}
          error={problems.signature}
        />
        <TextField
          label={t`Signed by`}
          hint={issuerDid ? t`A DID. Leave it empty for your default key.` : t`A DID.`}
          mono
          placeholder="did:key:z6Mk…"
          value={did}
          onValueChange={change(setDid)}
          error={problems.did}
        />
        <Failure error={verify.error} />
        {verdict ? (
          <Notice
            tone={verdict.valid ? 'good' : 'bad'}
            title={verdict.valid ? t`The signature is valid.` : t`The signature is not valid.`}
          >
            <Verdict {...verdict} />
          </Notice>
        ) : null}
        <Button
          type="submit"
          busy={verify.pending}
          icon={<ShieldCheck className="size-4" aria-hidden />}
          className="self-start"
        >
          <Trans>Check signature</Trans>
        </Button>
      </Form>
    </Card>
  )
}

function Verdict({ valid, signer, what }: VerdictProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const who = contacts.named.has(signer) ? signedWho(signer, contacts) : shorten(signer)
  return valid
    ? t`${who} signed ${what} exactly as shown.`
    : t`Either ${what} was changed, or ${who} did not sign it.`
}
