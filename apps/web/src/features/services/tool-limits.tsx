import { readServices, type SavedService, toolFields } from '@keyhole/vault/services'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { quotable } from '../../shared/text/visible.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Choice } from '../../shared/ui/fields/choice.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { signedWho } from '../../shared/words/who.ts'
import { type CalledTool, calledTool, comparable, fixedFields } from './called-tool.ts'
import type { ChosenLimits } from './chosen-limits.ts'
import { emptyLimit, type FieldLimit, limitProblem, limitStatements } from './field-limit.ts'
import { FieldLimitInput } from './field-limit-input.tsx'

interface ToolLimitsProps {
  command: string
  /** The policy that was asked for. What is chosen here comes on top of it, so it only gets narrower. */
  asked: readonly unknown[]
  chosen: ChosenLimits
  onChosenChange: (chosen: ChosenLimits) => void
}

/** Limits for a tool that a stranger asks for, by the fields that a saved service says it has. Empty if no service describes it. */
export function ToolLimits({ command, ...rest }: ToolLimitsProps) {
  const vault = useVault()
  const { phase } = useVaultSnapshot()
  const { data: services, failed } = useVaultQuery('services', () => readServices(vault), {
    enabled: phase === 'unlocked',
  })
  const { asked } = rest
  const called = useMemo(() => calledTool(command, asked), [command, asked])
  if (failed !== undefined) return <Failure error={failed} />
  if (called === undefined) return null
  const described = [...(services?.values() ?? [])].filter((service) => toolIn(service, called))
  return described.length === 0 ? null : <Described services={described} called={called} {...rest} />
}

function toolIn({ servers }: Pick<SavedService, 'servers'>, { kind, server, name }: CalledTool) {
  const offered = servers.find((each) => each.name === server)
  return (kind === 'tool' ? offered?.tools : offered?.prompts)?.find((each) => each.name === name)
}

interface DescribedProps extends Omit<ToolLimitsProps, 'command'> {
  /** The tool or prompt that the request is about. */
  called: CalledTool
  /** Those that describe it. */
  services: readonly SavedService[]
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
  const open = fields.filter(({ selector }) => !fixed.has(comparable(selector)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-1 font-medium text-sm">
        <Trans>Limits by field</Trans>
      </legend>
      <div className="text-ink-faint text-sm">
        <Trans>
          These fields and the words about them come from{' '}
          <ContactName did={service.did} what={t`the service’s DID`} kind="service" tell={signedWho} />
        </Trans>
      </div>
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
      {open.map((field) => (
        <FieldLimitInput
          key={field.selector}
          field={field}
          open={t`As in the request`}
          limit={chosen[field.selector]?.limit ?? { ...emptyLimit(field.kind), rule: 'any' }}
          onLimitChange={(limit: FieldLimit) => {
            const isFinished = limitProblem(field, limit) === undefined
            const statements = isFinished ? limitStatements(field, limit) : []
            onChosenChange({ ...chosen, [field.selector]: { limit, statements, isFinished } })
          }}
          strict
        />
      ))}
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
