import { type GrantUse, type LastCall, type ReportedBy, readUses } from '@keyhole/vault/uses'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { ContactName } from '../../shared/contacts/contact-name.tsx'
import { type Asked, askForUses } from '../../shared/relay/ask-for-uses.ts'
import { quotable } from '../../shared/text/visible.ts'
import { TextButton } from '../../shared/ui/buttons/text-button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { Skeleton } from '../../shared/ui/feedback/skeleton.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { Foreign } from '../../shared/ui/text/foreign.tsx'
import { TimeText } from '../../shared/ui/text/time-text.tsx'
import { useReadAgain, useVaultQuery } from '../../shared/vault/vault-query.ts'

const NAME = 'uses'

/** How often a grant was used and refused, as each gate says. Asks the relay when it is shown. */
export function UsageCard({ cid }: { cid: string }) {
  const { t } = useLingui()
  const { phase } = useVaultSnapshot()
  return (
    <Card title={t`Used`}>
      {phase === 'unlocked' ? (
        <Uses cid={cid} />
      ) : (
        <p className="text-ink-soft text-sm">
          <Trans>Unlock the vault to see how this grant was used.</Trans>
        </p>
      )}
    </Card>
  )
}

function Uses({ cid }: { cid: string }) {
  const { t } = useLingui()
  const vault = useVault()
  const readAgain = useReadAgain(NAME)
  const [asked, setAsked] = useState<Asked>()
  const [times, setTimes] = useState(0)
  const { data, failed } = useVaultQuery(NAME, () => readUses(vault))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` rises to ask again
  useEffect(() => {
    let isOver = false
    void askForUses(vault).then((result) => {
      if (isOver) return
      setAsked(result)
      readAgain()
    })
    return () => {
      isOver = true
    }
  }, [vault, readAgain, times])
  if (failed) return <Failure error={failed} />
  if (!data || !asked) return <Skeleton label={t`Checking with the relay…`} />
  const uses = data.grants.get(cid) ?? []
  const others = data.gates.filter(({ left, unshown }) => left + unshown > 0)
  return (
    <div className="flex flex-col gap-4">
      {uses.map((use) => (
        <OfGate key={use.gate} use={use} />
      ))}
      {uses.length === 0 ? (
        <div className="text-ink-soft text-sm">
          <Nothing asked={asked} />
        </div>
      ) : null}
      {asked === 'unreachable' ? (
        <p className="text-sm text-warn" role="status">
          <Trans>The relay can’t be reached. There may be newer reports.</Trans>
        </p>
      ) : null}
      {others.map((gate) => (
        <LeftOut key={gate.gate} gate={gate} />
      ))}
      {asked === 'asked' || asked === 'unreachable' ? (
        <p>
          <TextButton onClick={() => setTimes(times + 1)}>
            <Trans>Ask the relay again</Trans>
          </TextButton>
        </p>
      ) : null}
    </div>
  )
}

function Nothing({ asked }: { asked: Asked }) {
  const { t } = useLingui()
  if (asked === 'no-relay')
    return <Trans>This vault’s server has no relay, so no gate can report to it.</Trans>
  if (asked === 'off')
    return <Trans>The relay is turned off in this browser, so no reports are fetched. See Settings.</Trans>
  if (asked === 'no-gates')
    return (
      <>
        <p className="mb-3">
          <Trans>Your vault can’t see this yet. A service behind a Keyhole gate can report it.</Trans>
        </p>
        <Fold title={t`How to set it up`}>
          <Trans>
            Run <code>keyhole gate follow</code> at the gate, and grant what it asks for.
          </Trans>
        </Fold>
      </>
    )
  return <Trans>No gate has reported a use of this grant.</Trans>
}

/** What one gate says. */
function OfGate({ use: { gate, used, refused, last, lastRefused, at } }: { use: GrantUse }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`What a gate says`} className="flex flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <Trans>
          The gate <ContactName did={gate} what={t`the gate’s DID`} kind="service" /> says:
        </Trans>
      </p>
      <p>
        <Plural value={used} _0="Not used" one="Used once" other="Used # times" />
        {last ? <Call call={last} /> : null}
      </p>
      {refused > 0 || lastRefused ? (
        <p>
          <Plural value={refused} one="Refused once" other="Refused # times" />
          {lastRefused ? <Call call={lastRefused} isRefused /> : null}
        </p>
      ) : null}
      <p className="text-ink-soft">
        <Trans>
          Reported <TimeText at={at} />
        </Trans>
      </p>
    </section>
  )
}

/** The last call: when, for what, and why it was refused. All of it is a stranger's text. */
function Call({ call: { at, server, command, name, outcome }, isRefused = false }: CallProps) {
  const what = name === '' ? command : name
  return (
    <>
      {', '}
      <Trans>
        last <TimeText at={at} />: “<Foreign>{quotable(what)}</Foreign>” at “
        <Foreign>{quotable(server)}</Foreign>”
      </Trans>
      {isRefused || outcome === 'error' ? (
        <>
          {' '}
          (<Foreign>{quotable(outcome)}</Foreign>)
        </>
      ) : null}
    </>
  )
}

interface CallProps {
  call: LastCall
  isRefused?: boolean
}

/** What a report doesn't say: never hidden, because this grant could be among it. */
function LeftOut({ gate: { gate, left, unshown } }: { gate: ReportedBy }) {
  const { t } = useLingui()
  const who = <ContactName did={gate} what={t`the gate’s DID`} kind="service" />
  return (
    <div className="flex flex-col gap-1 text-ink-soft text-sm">
      {left > 0 ? (
        <p>
          <Trans>
            The last report of {who} had no room for <Plural value={left} one="# grant" other="# grants" />.
          </Trans>
        </p>
      ) : null}
      {unshown > 0 ? (
        <p>
          <Trans>
            {who} showed no call for <Plural value={unshown} one="# grant" other="# grants" />, so what it
            says about them isn’t counted.
          </Trans>
        </p>
      ) : null}
    </div>
  )
}
