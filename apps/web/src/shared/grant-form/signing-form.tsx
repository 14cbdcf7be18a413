import { useVaultSnapshot } from '@keyhole/vault-react'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { Card } from '../ui/layout/card.tsx'
import { Form, FormEnd } from '../ui/layout/form.tsx'
import { whyFixed } from '../words/refusals/why-fixed.ts'
import { PreviewFolds, PreviewSentence, type TokenPreview } from './token-preview.tsx'

interface SigningFormProps {
  title: string
  description?: string
  /** At the right end of the title's line. */
  actions?: ReactNode
  /** The token as it will be. */
  preview: TokenPreview
  /** Signs. */
  action: { readonly run: () => void; readonly pending: boolean; readonly error: unknown }
  /** What the button says. */
  submit: ReactNode
  disabled?: boolean
  /** The labels of the fields that are still empty or wrong, in the form's order. */
  needed: readonly string[]
  /** What to start from, before the fields and as wide as the form. */
  start?: ReactNode
  children: ReactNode
}

/** The most of the window's height that a sentence takes from the fields. */
const MOST = 0.36

/** Whether a sentence is so tall that it can't stay in view: then all of it is above its button, at the end of the form. */
function useTall() {
  const sentence = useRef<HTMLElement>(null)
  const [isTall, setTall] = useState(false)
  useLayoutEffect(() => {
    const { current } = sentence
    if (current === null) return
    const measure = () => setTall(current.offsetHeight > innerHeight * MOST)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(current)
    addEventListener('resize', measure)
    return () => {
      sizes.disconnect()
      removeEventListener('resize', measure)
    }
  }, [])
  return { sentence, isTall }
}

/** Fields that become a token. Its sentence stays in view with the button that signs it, if there is room for all of it. */
export function SigningForm({
  title,
  description,
  actions,
  preview,
  action,
  submit,
  disabled = false,
  needed,
  start,
  children,
}: SigningFormProps) {
  // The folds have fields of their own, and Enter in those must not sign.
  const formId = useId()
  const why = whyFixed(useVaultSnapshot())
  const { sentence, isTall } = useTall()
  return (
    <Card title={title} description={description} actions={actions}>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-x-12">
        {start === undefined ? null : <div className="min-w-0 lg:col-span-2">{start}</div>}
        <Form id={formId} onSubmit={action.run} className="flex min-w-0 flex-col gap-6">
          {children}
        </Form>
        <PreviewFolds {...preview} />
      </div>
      <div
        data-signing-bar
        // Until there is a sentence to read, it leaves a phone's screen to the fields.
        className={cx(
          'bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-20 mt-6 flex flex-col gap-3 border-ink border-t bg-canvas py-4 md:bottom-0 md:flex-row md:items-end md:justify-between md:gap-x-8',
          !isTall &&
            (preview.ready ? 'sticky short:static scant:static' : 'md:sticky short:static scant:static'),
        )}
      >
        <PreviewSentence ref={sentence} {...preview} />
        <div className="flex shrink-0 flex-col gap-3 md:max-w-80">
          <FormEnd
            action={action}
            form={formId}
            disabled={disabled}
            why={why}
            needed={needed}
            icon={<KeyRound className="size-4" aria-hidden />}
            className="self-start md:self-end md:text-right"
          >
            {submit}
          </FormEnd>
        </div>
      </div>
    </Card>
  )
}
