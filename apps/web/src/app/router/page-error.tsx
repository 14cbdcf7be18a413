import { Trans } from '@lingui/react/macro'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'

/** What stands in place of a page that could not be loaded or drawn, with the ways out. What was thrown is in the console: it helps nobody here. */
export function PageError({ reset }: ErrorComponentProps) {
  const router = useRouter()
  // A script that failed to load stays failed until the router asks for it again.
  const again = async () => {
    await router.invalidate()
    reset()
  }
  return (
    <section
      role="alert"
      className="mx-auto flex w-full min-w-0 max-w-xl flex-col items-start gap-4 px-4 py-10"
    >
      <h1 className="font-semibold text-3xl">
        <Trans>This page did not open</Trans>
      </h1>
      <p className="text-ink-soft">
        <Trans>
          Nothing stored was touched. If the network dropped, try again; if Keyhole was updated meanwhile,
          load it anew.
        </Trans>
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className={buttonClass('primary')} onClick={() => void again()}>
          <Trans>Try again</Trans>
        </button>
        <button type="button" className={buttonClass()} onClick={() => location.reload()}>
          <Trans>Load Keyhole anew</Trans>
        </button>
        {/* Not a link of the router: where the frame itself has failed, only a new document is sure to be another. */}
        <a href="/" className={buttonClass('bare')}>
          <Trans>Go home</Trans>
        </a>
      </div>
    </section>
  )
}
