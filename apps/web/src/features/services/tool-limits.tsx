import {
  readIntroduction,
  readServices,
  type SavedService,
  type ToolField,
  toolFields,
} from '@keyhole/vault/services'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { quotable } from '../../shared/text/visible.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { signedWho } from '../../shared/words/who.ts'
import { type CalledTool, calledTool, comparable, fixedFields } from './called-tool.ts'
import type { ChosenLimits } from './chosen-limits.ts'
import { emptyLimit, type FieldLimit, limitProblem, limitStatements } from './field-limit.ts'
import { FieldLimitInput } from './field-limit-input.tsx'

interface ToolLimitsProps {
  command: string
  /** An introduction that came with the request. */
  service: string | undefined
  /** The policy that was asked for. */
  asked: readonly unknown[]
  chosen: ChosenLimits
  onChosenChange: (chosen: ChosenLimits) => void
}

/** A service that describes a tool. */
type Source = Pick<SavedService, 'did' | 'name' | 'servers'> & { readonly isSaved: boolean }

/**
 * Limits for a tool that a stranger asks for, by the fields that a service says it has: a saved one, or one whose introduction came with the
 * request. Empty if no service describes it.
 */
export function ToolLimits({ command, service, ...rest }: ToolLimitsProps) {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const { data: services, failed } = useVaultQuery('services', () => readServices(vault), {
    enabled: phase === 'unlocked',
  })
  const { asked } = rest
  const called = useMemo(() => calledTool(command, asked), [command, asked])
  const isAsked = service !== undefined && called !== undefined
  // One that can't be read describes nothing: the request stays as it is.
  const { found } = useVaultCheck(isAsked ? ['introduction', service] : undefined, (given) =>
    readIntroduction(given, service ?? ''),
  )
  if (failed !== undefined) return <Failure error={failed} />
  // Until the saved ones are known, one that came with the request might be among them.
  if (called === undefined || services === undefined) return null
  const sources: Source[] = [...services.values()].map((each) => ({ ...each, isSaved: true }))
  if (found && 'introduced' in found && !services.has(found.introduced.did))
    sources.push({ ...found.introduced, isSaved: false })
  const described = sources.filter((each) => toolIn(each, called))
  return described.length === 0 ? null : <Described services={described} called={called} {...rest} />
}

function toolIn({ servers }: Pick<SavedService, 'servers'>, { kind, server, name }: CalledTool) {
  const offered = servers.find((each) => each.name === server)
  return (kind === 'tool' ? offered?.tools : offered?.prompts)?.find((each) => each.name === name)
}

interface DescribedProps extends Omit<ToolLimitsProps, 'command' | 'service'> {
  /** The tool or prompt that the request is about. */
  called: CalledTool
  /** Those that describe it. */
  services: readonly Source[]
}

function Described({ services, called, asked, chosen, onChosenChange }: DescribedProps) {
  const { t } = useLingui()
  const contacts = useContacts()
  const [picked, setPicked] = useState('')
  const fixed = useMemo(() => fixedFields(asked), [asked])
  const service = services.find(({ did }) => did === picked) ?? services[0]
  const tool = service && toolIn(service, called)
  if (!tool) return null
  const { fields, isPartial, unlistedPaths } = toolFields(tool)
  const isFixed = ({ selector }: ToolField) => fixed.has(comparable(selector))
  const [open, set] = [fields.filter((field) => !isFixed(field)), fields.filter(isFixed)]
  const input = (field: ToolField) => (
    <FieldLimitInput
      key={field.selector}
      field={field}
      open={t`As in the request`}
      isFixed={isFixed(field)}
      limit={chosen[field.selector]?.limit ?? { ...emptyLimit(field.kind), rule: 'any' }}
      onLimitChange={(limit: FieldLimit) => {
        const isFinished = limitProblem(field, limit) === undefined
        const statements = isFinished ? limitStatements(field, limit) : []
        const isInstead = isFixed(field) && limit.rule !== 'any'
        onChosenChange({ ...chosen, [field.selector]: { limit, statements, isFinished, isInstead } })
      }}
      strict
    />
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-1 font-medium text-sm">
        <Trans>Limits by field</Trans>
      </legend>
      <div className="text-ink-faint text-sm">
        <Trans>
          These fields and their descriptions come from{' '}
          <ContactName
            did={service.did}
            what={t`the service’s DID`}
            suggested={service.isSaved ? undefined : service.name}
            kind="service"
            tell={signedWho}
          />
        </Trans>
      </div>
      {service.isSaved ? null : (
        <Notice tone="warn">
          <Trans>
            You haven’t saved this service. Its words came with the request, and no one vouches for them.
          </Trans>
        </Notice>
      )}
      {services.length > 1 ? (
        <Choice
          label={t`Services that describe it`}
          options={services.map(({ did }) => ({ value: did, label: signedWho(did, contacts) }))}
          value={service.did}
          onValueChange={setPicked}
        />
      ) : null}
      {open.length === 0 ? (
        <p className="text-sm">
          {fields.length === 0 ? (
            <Trans>It describes no fields that can be limited here.</Trans>
          ) : (
            <Trans>The request already sets each of its fields to one value.</Trans>
          )}
        </p>
      ) : null}
      {open.map(input)}
      {set.length === 0 ? null : (
        <Fold title={t`Allow more than requested`}>
          <div className="flex flex-col gap-4">
            <p className="text-ink-soft text-sm">
              <Trans>
                The request sets each of these to one value. Choose a wider limit to avoid being asked again.
              </Trans>
            </p>
            {set.map(input)}
          </div>
        </Fold>
      )}
      {unlistedPaths.length === 0 ? null : (
        <Notice tone="warn">
          <Trans>
            Some paths can’t be limited here: <bdi>{unlistedPaths.map(quotable).join(', ')}</bdi>
          </Trans>
        </Notice>
      )}
      {isPartial ? (
        <p className="text-ink-faint text-sm">
          <Trans>It may take arguments that aren’t listed here.</Trans>
        </p>
      ) : null}
    </fieldset>
  )
}
