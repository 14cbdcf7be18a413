import { Trans, useLingui } from '@lingui/react/macro'
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx'
import { CheckBox } from '../../../shared/ui/fields/check-box.tsx'
import { Kbd } from '../../../shared/ui/text/kbd.tsx'
import { usePlaces } from '../use-places.ts'
import { turnLetters, useLetters } from './letters.ts'

interface ShortcutListProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Every key that does something, as this machine's keyboard has it, and the switch for those without a modifier. */
export function ShortcutList({ open, onOpenChange }: ShortcutListProps) {
  const { t } = useLingui()
  const letters = useLetters()
  const places = usePlaces(() => undefined)
  const everywhere: [string, string[]][] = [
    [t`Find or do something`, ['mod+k']],
    [t`Close a dialog`, ['esc']],
  ]
  const deeds: [string, string[]][] = [
    [t`Find or do something`, ['/']],
    [t`New grant`, ['n']],
    [t`Add a token`, ['t']],
    [t`Lock the vault`, ['l']],
    [t`Unlock the vault`, ['u']],
    [t`Show this list`, ['?']],
  ]
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t`Keyboard shortcuts`}
      description={t`They’re off while you type in a field.`}
      wide
    >
      <div className="flex flex-col gap-6">
        <CheckBox
          label={t`Single-key shortcuts`}
          hint={t`Turn them off if you use voice control, or press keys by accident. This browser remembers it.`}
          checked={letters}
          onCheckedChange={turnLetters}
        />
        <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
          <div className="flex flex-col gap-6">
            <Keys heading={t`Everywhere`} rows={everywhere} />
            <Keys heading={t`Do`} rows={deeds} off={!letters} />
          </div>
          <Keys
            heading={t`Go to`}
            rows={places.map(({ title, keys = [] }) => [title, [...keys]])}
            off={!letters}
          />
        </div>
      </div>
    </Dialog>
  )
}

interface KeysProps {
  heading: string
  rows: readonly [what: string, keys: string[]][]
  off?: boolean
}

function Keys({ heading, rows, off = false }: KeysProps) {
  return (
    <section>
      <h3 className="mb-2 font-semibold text-sm">
        {heading}
        {off ? (
          <span className="ml-2 font-normal text-ink-faint">
            <Trans>turned off</Trans>
          </span>
        ) : null}
      </h3>
      <dl className="flex flex-col gap-1.5 text-sm">
        {rows.map(([what, keys]) => (
          <div key={`${what} ${keys.join(' ')}`} className="flex items-center justify-between gap-4">
            <dt className="text-ink-soft">{what}</dt>
            <dd className="flex shrink-0 items-center gap-1">
              {keys.map((key, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice, and none moves
                <Kbd key={at} keys={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
