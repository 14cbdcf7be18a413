import { useLingui } from '@lingui/react/macro'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Fold } from '../ui/layout/fold.tsx'
import { TERMS, type TermName } from './terms.ts'

interface GlossaryProps {
  /** The word that was asked about. None: all of them. */
  of?: TermName | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** What Keyhole's words mean: the one that was asked about, with the others one fold away, or all of them. */
export function Glossary({ of, open, onOpenChange }: GlossaryProps) {
  const { t, i18n } = useLingui()
  const asked = of === undefined ? undefined : TERMS[of]
  const others = (
    <dl className="flex flex-col gap-3">
      {Object.entries(TERMS)
        .filter(([name]) => name !== of)
        .map(([name, { word, means }]) => (
          <div key={name}>
            <dt className="font-semibold">{i18n._(word)}</dt>
            <dd className="text-ink-soft">{i18n._(means)}</dd>
          </div>
        ))}
    </dl>
  )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={asked === undefined ? t`Words in Keyhole` : i18n._(asked.word)}
    >
      {asked === undefined ? (
        others
      ) : (
        <div className="flex flex-col gap-5">
          <p>{i18n._(asked.means)}</p>
          <Fold title={t`Other words`}>{others}</Fold>
        </div>
      )}
    </Dialog>
  )
}
