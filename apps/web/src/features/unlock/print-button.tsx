import { Trans } from '@lingui/react/macro'
import { Printer } from 'lucide-react'
import { Button } from '../../shared/ui/buttons/button.tsx'

/** Prints the recovery sheet, or saves it as a PDF: browsers do both in one window. Disabled until the sheet is there to print. */
export function PrintButton({ disabled = false }: { disabled?: boolean }) {
  return (
    <Button
      size="small"
      disabled={disabled}
      onClick={() => print()}
      icon={<Printer className="size-4" aria-hidden />}
    >
      <Trans>Print or save as PDF</Trans>
    </Button>
  )
}
