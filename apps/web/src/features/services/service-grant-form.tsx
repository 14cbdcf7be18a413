import type { StoredToken } from '@keyhole/vault'
import { type ToolFields, toolFields } from '@keyhole/vault/services'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { AudienceField } from '../../shared/grant-form/audience-field.tsx'
import { type ExpiryChoice, expiryOptions, readExpiry } from '../../shared/grant-form/expiry.ts'
import { GrantResult } from '../../shared/grant-form/grant-result.tsx'
import { SigningForm } from '../../shared/grant-form/signing-form.tsx'
import { useLinks } from '../../shared/grant-form/use-links.ts'
import { takeFocus } from '../../shared/hooks/take-focus.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { useNow } from '../../shared/hooks/use-now.ts'
import { quotable } from '../../shared/text/visible.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { signingKey } from '../../shared/vault/signing-key.ts'
import { audienceProblem } from '../../shared/words/recognise.ts'
import { who } from '../../shared/words/who.ts'
import { emptyLimit, type FieldLimit, limitProblem, limitStatements } from './field-limit.ts'
import { FieldLimitInput } from './field-limit-input.tsx'
import { type Offer, offerCommand, offerDescription, offerName, offerPolicy } from './offer.ts'
import { oneLine } from './one-line.ts'
import { OpenPaths } from './open-paths.tsx'

interface ServiceGrantFormProps {
  offer: Offer
  /** DIDs of other services where the grant would work too. */
  alsoAt: readonly string[]
  /** Who it is for, if that was said before. */
  audience?: string
  /** What closing leads to, in words. */
  another?: string
  onClose: () => void
}

/** The path of an API's calls, as an argument. */
const API_PATH = {
  names: ['path'],
  selector: '.path',
  kind: 'path',
  required: true,
} as const
/** An API's calls have no other argument that can be limited here. */
const API_FIELDS = { fields: [API_PATH], isPartial: false, unlistedPaths: [] } as const
/** A resource is read as it is. */
const NO_FIELDS = { fields: [], isPartial: false, unlistedPaths: [] } as const

/** The arguments that a grant of an offer can limit. */
function fieldsOf(offer: Offer): ToolFields {
  if (offer.kind === 'api') return API_FIELDS
  return offer.kind === 'resource' ? NO_FIELDS : toolFields(offer.tool)
}

/** A grant of one tool, prompt, resource or API: its limits by field, who it is for, and when it expires. */
export function ServiceGrantForm({
  offer,
  alsoAt,
  audience: given = '',
  another,
  onClose,
}: ServiceGrantFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const contacts = useContacts()
  const now = useNow()
  const [audience, setAudience] = useState(given)
  const [limits, setLimits] = useState<Readonly<Record<string, FieldLimit>>>({})
  const [method, setMethod] = useState(() =>
    offer.kind === 'api'
      ? (offer.api.methods.find((each) => each === 'GET') ?? offer.api.methods[0] ?? 'GET')
      : 'GET',
  )
  const [expiry, setExpiry] = useState<ExpiryChoice>('7d')
  const [expiresOn, setExpiresOn] = useState('')
  const [strict, setStrict] = useState(false)
  const [signed, setSigned] = useState<StoredToken>()
  const [isLeftOpen, setLeftOpen] = useState(false)
  const { fields, isPartial, unlistedPaths } = useMemo(() => fieldsOf(offer), [offer])
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => takeFocus(place.current), [])
  const key = signingKey(snapshot)
  const limitOf = (field: (typeof fields)[number]) => limits[field.selector] ?? emptyLimit(field.kind)
  const setLimit = (field: (typeof fields)[number], limit: FieldLimit) => {
    sign.clear()
    setLimits({ ...limits, [field.selector]: limit })
  }
  const command = offerCommand(offer, method)
  const finished = fields.filter((field) => limitProblem(field, limitOf(field)) === undefined)
  const isLimited = finished.length === fields.length && (isLeftOpen || unlistedPaths.length === 0)
  const policy = [
    ...offerPolicy(offer),
    ...finished.flatMap((field) => limitStatements(field, limitOf(field))),
  ]
  const wrongAudience = audienceProblem(audience, key?.did)
  const end = readExpiry(expiry, expiresOn, now)
  const links = useLinks({ command, policy })
  const sign = useAction(async () => {
    setStrict(true)
    const at = readExpiry(expiry, expiresOn, Date.now())
    if (!isLimited || wrongAudience !== undefined || 'problem' in at || at.at === undefined) return
    setSigned(
      await vault.tokens.grant({
        audience_did: audience.trim(),
        command,
        policy,
        expires_at: at.at,
        ...(key && { key_id: key.key_id }),
      }),
    )
  })
  const needed = [
    ...(isLimited ? [] : [t`Limits`]),
    ...(wrongAudience === undefined ? [] : [t`Who`]),
    ...('problem' in end ? [t`Date and time`] : []),
  ]
  if (signed)
    return (
      <GrantResult
        stored={signed}
        contacts={contacts}
        onAnother={onClose}
        another={another ?? t`What it offers`}
      />
    )
  const preview = {
    contacts,
    links,
    ready: wrongAudience === undefined && isLimited,
    payload: {
      issuer: key?.did ?? '',
      audience,
      subject: key?.did ?? '',
      command,
      policy,
      expiresAt: 'at' in end ? end.at : undefined,
    },
  }
  return (
    <div ref={place} tabIndex={-1} className="rounded-card">
      <SigningForm
        title={titleOf(offer)}
        preview={preview}
        action={sign}
        submit={<Trans>Sign the grant</Trans>}
        disabled={snapshot.phase !== 'unlocked'}
        needed={needed}
        actions={
          <Button size="small" tone="bare" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
        }
      >
        <What offer={offer} />
        {alsoAt.length === 0 ? null : (
          <Notice tone="warn" title={t`This grant works at other services too.`}>
            <Trans>
              These services also have one with this name:{' '}
              <bdi>{alsoAt.map((did) => who(did, contacts)).join(', ')}</bdi>
            </Trans>
          </Notice>
        )}
        {offer.kind === 'api' ? (
          <Choice
            label={t`What they can do`}
            options={offer.api.methods.map((each) => ({
              value: each,
              label: each === 'GET' || each === 'HEAD' ? t`Read (${each})` : t`Change things (${each})`,
            }))}
            value={method}
            onValueChange={setMethod}
          />
        ) : null}
        <fieldset className="flex min-w-0 flex-col gap-5">
          <legend className="mb-3 font-medium text-sm">
            <Trans>Limits</Trans>
          </legend>
          {fields.length === 0 && !isPartial && offer.kind !== 'resource' ? (
            <p className="text-ink-faint text-sm">
              <Trans>It takes no arguments.</Trans>
            </p>
          ) : null}
          {fields.map((field) => (
            <Fragment key={field.selector}>
              <FieldLimitInput
                field={field}
                limit={limitOf(field)}
                onLimitChange={(limit) => setLimit(field, limit)}
                strict={strict}
              />
              {field.kind === 'path' || field.kind === 'paths' ? (
                <Suggestions
                  paths={suggestionsOf(offer)}
                  onPick={(value) =>
                    setLimit(field, {
                      ...emptyLimit(field.kind),
                      rule: value.endsWith('/*') ? 'under' : 'is',
                      value,
                    })
                  }
                />
              ) : null}
            </Fragment>
          ))}
          <OpenPaths
            names={unlistedPaths}
            isOpen={isLeftOpen}
            onOpenChange={(isOpen) => {
              sign.clear()
              setLeftOpen(isOpen)
            }}
            strict={strict}
          />
          {offer.kind === 'api' ? (
            <Notice tone="warn">
              {method === 'GET' || method === 'HEAD' ? (
                <Trans>The query may be anything.</Trans>
              ) : (
                <Trans>Query and body may be anything.</Trans>
              )}
            </Notice>
          ) : null}
          {isPartial ? (
            <Notice tone="warn">
              <Trans>It may take arguments that aren’t listed here. They are not limited.</Trans>
            </Notice>
          ) : null}
        </fieldset>
        <AudienceField
          field={undefined}
          value={audience}
          onValueChange={setAudience}
          error={strict || audience.trim() !== '' ? wrongAudience : undefined}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice label={t`Expires`} options={expiryOptions()} value={expiry} onValueChange={setExpiry} />
          {expiry === 'on' ? (
            <TextField
              label={t`Date and time`}
              type="datetime-local"
              value={expiresOn}
              onValueChange={setExpiresOn}
              error={(strict || expiresOn !== '') && 'problem' in end ? end.problem : undefined}
              className="sm:self-end"
            />
          ) : null}
        </div>
      </SigningForm>
    </div>
  )
}

function titleOf({ kind }: Offer): string {
  switch (kind) {
    case 'tool':
      return t`Grant one tool`
    case 'prompt':
      return t`Grant one prompt`
    case 'resource':
      return t`Grant one resource`
    case 'api':
      return t`Grant one API`
  }
}

function suggestionsOf(offer: Offer): readonly string[] {
  if (offer.kind === 'api') return offer.api.paths
  return offer.kind === 'resource' ? [] : offer.suggest
}

/** What is granted and where, and the service's words about it. */
function What({ offer }: { offer: Offer }) {
  if (offer.kind === 'api')
    return (
      <div className="flex flex-col gap-1 text-sm">
        <p>
          <Trans>The API “{offer.api.name}”</Trans>
        </p>
        <p>
          <Trans>
            This grant is for any API with this name. It works at each of your gates that has one.
          </Trans>
        </p>
      </div>
    )
  const { server } = offer
  const name = quotable(offerName(offer))
  const said = offerDescription(offer)
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="wrap-anywhere">
        {offer.kind === 'tool' ? (
          <Trans>
            The tool “<bdi>{name}</bdi>” of the server “{server}”
          </Trans>
        ) : offer.kind === 'prompt' ? (
          <Trans>
            The prompt “<bdi>{name}</bdi>” of the server “{server}”
          </Trans>
        ) : (
          <Trans>
            The resource “<bdi>{name}</bdi>” of the server “{server}”
          </Trans>
        )}
      </p>
      <p>
        <Trans>
          This grant is for any server with this name. It works at each of your gates that has one.
        </Trans>
      </p>
      {said === undefined ? null : (
        <div className="text-ink-faint">
          <Trans>The service says:</Trans> <ForeignQuote>{quotable(oneLine(said))}</ForeignQuote>
        </div>
      )}
    </div>
  )
}

function Suggestions({ paths, onPick }: { paths: readonly string[]; onPick: (path: string) => void }) {
  if (paths.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-ink-faint text-sm">
        <Trans>It suggests:</Trans>
      </span>
      {paths.slice(0, 12).map((path) => (
        <Button key={path} size="small" onClick={() => onPick(path)}>
          <bdi>{quotable(path)}</bdi>
        </Button>
      ))}
    </div>
  )
}
