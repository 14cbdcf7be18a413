import { KeyRound } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useWide } from '../hooks/use-wide.ts'
import { Card } from '../ui/layout/card.tsx'
import { Form, FormEnd } from '../ui/layout/form.tsx'

interface SigningFormProps {
  title: string
  description?: string
  /** At the right end of the title's line. */
  actions?: ReactNode
  /** The token as it will be: beside the fields, or below them where the window is narrow. */
  preview: (isInForm: boolean) => ReactNode
  /** Signs. */
  action: { readonly run: () => void; readonly pending: boolean; readonly error: unknown }
  /** What the button says. */
  submit: ReactNode
  disabled?: boolean
  children: ReactNode
}

/** Fields that become a token, with that token in sight. */
export function SigningForm({
  title,
  description,
  actions,
  preview,
  action,
  submit,
  disabled = false,
  children,
}: SigningFormProps) {
  const isWide = useWide()
  // The preview has fields of its own, and Enter in them is not to sign: it stands beside the form, and the button after both.
  const formId = useId()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title={title} description={description} actions={actions}>
        <div className="flex flex-col gap-6">
          <Form id={formId} onSubmit={action.run} className="flex flex-col gap-6">
            {children}
          </Form>
          {isWide ? null : preview(true)}
          <FormEnd
            action={action}
            form={formId}
            disabled={disabled}
            icon={<KeyRound className="size-4" aria-hidden />}
          >
            {submit}
          </FormEnd>
        </div>
      </Card>
      {isWide ? preview(false) : null}
    </div>
  )
}
