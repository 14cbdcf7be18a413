import { Trans } from '@lingui/react/macro'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'

/** Shown in place of a page that failed to load or render, with ways out. The console has the error, which doesn't help a person. */
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
          Nothing you saved was changed. If you lost your connection, try again. If Keyhole was updated in the
          meantime, reload it.
        </Trans>
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className={buttonClass('primary')} onClick={() => void again()}>
          <Trans>Try again</Trans>
        </button>
        <button type="button" className={buttonClass()} onClick={() => location.reload()}>
          <Trans>Reload Keyhole</Trans>
        </button>
        {/* Not a router link: if the frame itself has failed, only a new document is safe. */}
        <a href="/" className={buttonClass('bare')}>
          <Trans>Go home</Trans>
        </a>
      </div>
    </section>
  )
}
