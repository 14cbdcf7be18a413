import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useMemo } from 'react'
import { useTokenPage } from '../tokens/use-tokens.ts'
import { Button } from '../ui/buttons/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { ScanButton } from '../ui/sharing/scan-button.tsx'
import { Identicon } from '../ui/text/identicon.tsx'
import { recognise } from '../words/recognise.ts'
import { shorten } from '../words/who.ts'

interface AudienceFieldProps {
  field: Ref<HTMLInputElement> | undefined
  value: string
  onValueChange: (value: string) => void
  error: string | undefined
}

/** How many of the audiences before are offered, and among how many grants they are looked for. */
const OFFERED = 4
const LOOKED_AT = 50

/** Whom this account granted something to before, the latest first. */
function useAudiences(): string[] {
  const { tokens } = useTokenPage({ list: 'given', limit: LOOKED_AT })
  return useMemo(() => {
    const latest = [...tokens].sort((a, b) => b.createdAt - a.createdAt)
    const dids = latest.flatMap(({ audienceDid }) => (audienceDid === undefined ? [] : [audienceDid]))
    return [...new Set(dids)].slice(0, OFFERED)
  }, [tokens])
}

/** To whom: a DID that is pasted, scanned, or one that was used before. */
export function AudienceField({ field, value, onValueChange, error }: AudienceFieldProps) {
  const { t } = useLingui()
  const audiences = useAudiences()
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 flex-col gap-2 sm:flex-row sm:items-end">
        <TextField
          {...(field && { ref: field })}
          label={t`To whom`}
          hint={t`The DID of the app, device, agent or person who gets it.`}
          mono
          placeholder="did:key:z6Mk…"
          value={value}
          onValueChange={onValueChange}
          error={error}
          className="flex-1"
          aside={
            <ScanButton
              what={t`a DID`}
              onText={(text) => {
                const found = recognise(text)
                onValueChange(found.value)
              }}
            />
          }
        />
      </div>
      {audiences.length === 0 || value.trim() !== '' ? null : (
        <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
          <legend className="float-left pr-2 text-ink-faint text-sm">
            <Trans>Used before:</Trans>
          </legend>
          {audiences.map((did) => (
            <Button
              key={did}
              size="small"
              title={did}
              onClick={() => onValueChange(did)}
              icon={<Identicon text={did} className="size-4" />}
            >
              <span className="font-mono text-xs">{shorten(did, 4, 4)}</span>
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
