import { TEMPLATE_NAME_MAX, type Template } from '@keyhole/vault'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import type { toOwnTemplate } from '../../shared/grant-form/draft.ts'
import { useAction } from '../../shared/hooks/use-action.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx'
import { DialogEnd } from '../../shared/ui/dialogs/dialog-end.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { TextField } from '../../shared/ui/fields/text-field.tsx'
import { Form } from '../../shared/ui/layout/form.tsx'
import { useVaultQuery } from '../../shared/vault/vault-query.ts'
import { commandWords } from '../../shared/words/command.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'

const NONE: readonly Template[] = []

/** The owner's own templates: one press fills in the form, and a dialog renames and deletes them. */
export function OwnTemplates({ onPick }: { onPick: (template: Template) => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const { phase } = snapshot
  const [editing, setEditing] = useState(false)
  const { data: own = NONE, failed } = useVaultQuery('templates', () => vault.templates.list(), {
    enabled: phase === 'unlocked',
  })
  if (phase !== 'unlocked') return null
  return (
    <>
      <Failure error={failed} />
      {own.length === 0 ? null : (
        <fieldset
          aria-label={t`Yours`}
          className="grid items-baseline gap-x-3 gap-y-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]"
        >
          <span className="text-ink-faint text-sm" aria-hidden="true">
            <Trans>Yours</Trans>
          </span>
          <div className="flex min-w-0 flex-wrap gap-2">
            {own.map((template) => (
              <Button
                key={template.id}
                size="small"
                title={commandWords(template.command)}
                onClick={() => onPick(template)}
                className="max-w-full whitespace-normal wrap-anywhere"
              >
                <bdi>{template.name}</bdi>
              </Button>
            ))}
            <Button size="small" tone="bare" why={whyFixed(snapshot)} onClick={() => setEditing(true)}>
              <Trans>Edit templates</Trans>
            </Button>
          </div>
        </fieldset>
      )}
      <Dialog
        open={editing && own.length > 0}
        onOpenChange={setEditing}
        title={t`Your templates`}
        description={t`Grants you gave stay as they are.`}
      >
        <ul className="flex flex-col divide-y divide-line">
          {own.map((template) => (
            <li key={template.id} className="py-3">
              <TemplateLine template={template} />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}

/** A template's name, to be changed, and the button that deletes it. */
function TemplateLine({ template }: { template: Template }) {
  const { t } = useLingui()
  const vault = useVault()
  const { id } = template
  const [name, setName] = useState(template.name)
  const rename = useAction(async () => {
    const saved = await vault.templates.save({ id, name })
    setName(saved.name)
    announce(t`Template renamed`, saved.name)
  })
  const remove = useAction(async () => {
    const { name: gone, command, policy, lifetime } = await vault.templates.remove(id)
    announce(t`Template deleted`, undefined, {
      about: id,
      undo: async () => {
        await vault.templates.save({ name: gone, command, policy, lifetime })
      },
    })
  })
  return (
    <Form onSubmit={rename.run} className="flex flex-wrap items-end gap-2">
      <TextField
        label={t`Name`}
        hint={commandWords(template.command)}
        value={name}
        onValueChange={(next) => {
          rename.clear()
          setName(next)
        }}
        maxLength={TEMPLATE_NAME_MAX}
        className="min-w-0 flex-1 basis-48"
      />
      <Button
        type="submit"
        disabled={name.trim() === '' || name === template.name}
        busy={rename.pending}
        aria-label={t`Rename ${template.name}`}
      >
        <Trans>Rename</Trans>
      </Button>
      <Button
        tone="bare"
        busy={remove.pending}
        onClick={() => remove.run()}
        aria-label={t`Delete ${template.name}`}
        icon={<Trash2 className="size-4" aria-hidden />}
      >
        <Trans>Delete</Trans>
      </Button>
      <Failure error={rename.error ?? remove.error} />
    </Form>
  )
}

interface SaveTemplateProps {
  /** The form's answers; undefined while one of them is missing or wrong. */
  answers: ReturnType<typeof toOwnTemplate>
  /** What the grant is called: offered as the template's name. */
  label: string
}

/** Saves what the form says, but for who it is for, as a template. */
export function SaveTemplate({ answers, label }: SaveTemplateProps) {
  const { t } = useLingui()
  const vault = useVaultSnapshot()
  const { phase } = vault
  const why = whyFixed(vault)
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        size="small"
        why={why}
        disabled={answers === undefined || phase !== 'unlocked'}
        onClick={() => setOpen(true)}
        icon={<Bookmark className="size-4" aria-hidden />}
      >
        <Trans>Save as a template</Trans>
      </Button>
      <Dialog
        open={open && answers !== undefined}
        onOpenChange={setOpen}
        title={t`Save as a template`}
        description={t`It keeps what they can do, the limits and how long. Not who it is for.`}
      >
        {answers === undefined ? null : (
          <SaveForm answers={answers} label={label} onSaved={() => setOpen(false)} />
        )}
      </Dialog>
    </div>
  )
}

interface SaveFormProps extends SaveTemplateProps {
  answers: NonNullable<SaveTemplateProps['answers']>
  onSaved: () => void
}

function SaveForm({ answers, label, onSaved }: SaveFormProps) {
  const { t } = useLingui()
  const vault = useVault()
  const [name, setName] = useState(label.trim().slice(0, TEMPLATE_NAME_MAX))
  const [strict, setStrict] = useState(false)
  const save = useAction(async () => {
    setStrict(true)
    if (name.trim() === '') return
    const saved = await vault.templates.save({ ...answers, name })
    announce(t`Template saved`, saved.name, { about: saved.id })
    onSaved()
  })
  return (
    <Form onSubmit={save.run}>
      <TextField
        label={t`Name`}
        hint={t`Only you see it.`}
        value={name}
        onValueChange={(next) => {
          save.clear()
          setName(next)
        }}
        maxLength={TEMPLATE_NAME_MAX}
        error={strict && name.trim() === '' ? t`Enter a name.` : undefined}
        autoFocus
      />
      <DialogEnd action={save}>
        <Trans>Save</Trans>
      </DialogEnd>
    </Form>
  )
}
