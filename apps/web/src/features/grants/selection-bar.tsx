import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { RenewButton } from '../../shared/grant-actions/renew-button.tsx'
import { isRenewable } from '../../shared/grant-actions/renewable.ts'
import { RevokeButton } from '../../shared/grant-actions/revoke-button.tsx'
import type { ListedToken } from '../../shared/tokens/use-tokens.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'

interface SelectionBarProps {
  selected: readonly ListedToken[]
  onClear: () => void
  onDone: () => void
}

/** What can be done with the grants that are selected. */
export function SelectionBar({ selected, onClear, onDone }: SelectionBarProps) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Selected grants`}
      className="sticky top-16 z-20 flex flex-wrap items-center gap-2 border-line border-y bg-canvas py-3 short:static scant:static"
    >
      <p role="status" className="mr-auto font-medium text-sm">
        <Plural value={selected.length} one="# selected" other="# selected" />
      </p>
      <RenewButton grants={selected.filter(isRenewable)} />
      <RevokeButton grants={selected} onRevoked={onClear} />
      <Button size="small" tone="bare" onClick={onDone}>
        <Trans context="selecting is done">Done</Trans>
      </Button>
    </section>
  )
}
