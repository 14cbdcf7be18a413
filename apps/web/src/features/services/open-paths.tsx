import { Trans, useLingui } from '@lingui/react/macro'
import { quotable } from '../../shared/text/visible.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { CheckBox } from '../../shared/ui/fields/check-box.tsx'

interface OpenPathsProps {
  /** Their names. Without any, nothing is shown. */
  names: readonly string[]
  /** Whether the owner leaves them open. */
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Whether what is unfinished is told of. */
  strict: boolean
}

/** Paths that no field is about. What can read a disk is never granted by leaving it out, so the owner says so. */
export function OpenPaths({ names, isOpen, onOpenChange, strict }: OpenPathsProps) {
  const { t } = useLingui()
  if (names.length === 0) return null
  return (
    <>
      <Notice tone="warn">
        <Trans>
          Some paths can’t be limited here: <bdi>{names.map(quotable).join(', ')}</bdi>
        </Trans>
      </Notice>
      <CheckBox label={t`Leave these paths open`} checked={isOpen} onCheckedChange={onOpenChange} />
      {strict && !isOpen ? (
        <p className="text-bad text-sm">
          <Trans>Tick this if the tool may use any path. If not, don’t grant it.</Trans>
        </p>
      ) : null}
    </>
  )
}
