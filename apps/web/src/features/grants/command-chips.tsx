import { Trans } from '@lingui/react/macro'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { commandWords } from '../../shared/words/command.ts'

/** Commands that people grant most. */
const COMMON = ['/file/read', '/file/write', '/msg/send', '/http/get', '/crypto/sign'] as const

/** Commands to choose from, in words. */
export function CommandChips({ onPick }: { onPick: (command: string) => void }) {
  return (
    <fieldset className="-mt-3 flex min-w-0 flex-wrap items-center gap-2">
      <legend className="float-left pr-2 text-ink-faint text-sm">
        <Trans>Common:</Trans>
      </legend>
      {COMMON.map((command) => (
        <Button key={command} size="small" title={command} onClick={() => onPick(command)}>
          {commandWords(command)}
        </Button>
      ))}
    </fieldset>
  )
}
