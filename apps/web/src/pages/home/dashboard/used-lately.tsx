import { type GrantUse, readUses } from '@keyhole/vault/uses'
import { useVault } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ContactName } from '../../../shared/contacts/contact-name.tsx'
import { quotable } from '../../../shared/text/visible.ts'
import { storedWords } from '../../../shared/tokens/capability.ts'
import { useToken } from '../../../shared/tokens/use-tokens.ts'
import { Card } from '../../../shared/ui/layout/card.tsx'
import { Foreign } from '../../../shared/ui/text/foreign.tsx'
import { TimeText } from '../../../shared/ui/text/time-text.tsx'
import { useVaultQuery } from '../../../shared/vault/vault-query.ts'

/** Lines shown. */
const MOST = 5

/** A grant, its last call, and the gate that says so. */
interface LastUse {
  readonly cid: string
  readonly gate: string
  readonly last: NonNullable<GrantUse['last']>
}

/** The grants that were used last, as gates reported. Nothing while no use is known. */
export function UsedLately() {
  const { t } = useLingui()
  const vault = useVault()
  const { data } = useVaultQuery('uses', () => readUses(vault))
  const uses = lastUses(data?.grants ?? new Map()).slice(0, MOST)
  if (uses.length === 0) return null
  return (
    <Card title={t`Used lately`}>
      <ol className="flex flex-col divide-y divide-line">
        {uses.map((use) => (
          <Line key={use.cid} use={use} />
        ))}
      </ol>
    </Card>
  )
}

/** Each grant once, the last used first. */
export function lastUses(grants: ReadonlyMap<string, readonly GrantUse[]>): LastUse[] {
  const uses: LastUse[] = []
  for (const [cid, each] of grants) {
    const lasts = each.flatMap(({ gate, last }) => (last ? [{ cid, gate, last }] : []))
    const [latest] = lasts.sort((a, b) => b.last.at - a.last.at)
    if (latest) uses.push(latest)
  }
  return uses.sort((a, b) => b.last.at - a.last.at)
}

/** Who holds the grant, what it is, and the call. The call is the gate's text. */
function Line({ use: { cid, gate, last } }: { use: LastUse }) {
  const { t } = useLingui()
  const { token, loading } = useToken(cid)
  const what = last.name === '' ? last.command : last.name
  return (
    <li className="flex flex-col gap-1 py-2 text-sm">
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {token ? (
          <Link
            to="/identity"
            search={{ tab: 'grants', token: cid }}
            className="wrap-anywhere min-w-0 font-medium underline underline-offset-4"
          >
            {token.label ?? storedWords(token)}
          </Link>
        ) : (
          <span>{loading ? t`Reading…` : t`A grant that isn’t stored here any more`}</span>
        )}
        <span className="text-ink-faint text-xs">
          <TimeText at={last.at} />
        </span>
      </span>
      {token ? <ContactName did={token.audienceDid} what={t`the holder’s DID`} /> : null}
      <span className="wrap-anywhere text-ink-soft">
        <Trans>
          “<Foreign>{quotable(what)}</Foreign>” at “<Foreign>{quotable(last.server)}</Foreign>”, says the gate{' '}
          <ContactName did={gate} what={t`the gate’s DID`} kind="service" />
        </Trans>
      </span>
    </li>
  )
}
