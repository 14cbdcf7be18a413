import { useLingui } from '@lingui/react/macro'
import { LimitList } from '../../shared/grant-words/limit-list.tsx'
import { policyLimits } from '../../shared/grant-words/limits.ts'
import { isGiven, storedWords } from '../../shared/tokens/capability.ts'
import type { Report } from '../../shared/tokens/report.ts'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { commandWords } from '../../shared/words/command.ts'
import { moment } from '../../shared/words/when.ts'

/** What a grant allows, within which limits, and until when: along its whole chain where that is valid. */
export function GrantLimits({ stored, report }: { stored: ListedToken; report: Report | undefined }) {
  const { t } = useLingui()
  const { command, policy, notBefore, expiresAt } = report?.effective ?? stored
  const { limits, notes, never } = policyLimits(command, policy)
  const isChain = report?.effective !== undefined && report.links.length > 1
  return (
    <Card title={t`What it allows`}>
      <Facts
        facts={[
          isGiven(stored)
            ? [t`They can`, storedWords({ ...stored, command })]
            : [t`You can`, commandWords(command)],
          [
            isChain ? t`Limits along the chain` : t`Limits`,
            never ? (
              t`no call can meet them`
            ) : limits.length === 0 ? (
              t`none`
            ) : (
              <LimitList key="limits" limits={limits} />
            ),
          ],
          notes.length === 0 ? undefined : [t`Beyond that`, notes.join(' ')],
          notBefore === undefined ? undefined : [t`Starts`, moment(notBefore)],
          [t`Expires`, expiresAt === undefined ? t`never` : moment(expiresAt)],
        ]}
      />
    </Card>
  )
}
