import { cleanContactName } from '@keyhole/vault'
import {
  type Introduced,
  readIntroduction,
  readServices,
  replyOf,
  saveService,
} from '@keyhole/vault/services'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announce } from '../../shared/browser/announce.ts'
import type { ContactIndex } from '../../shared/contacts/contact-index.ts'
import { kindName } from '../../shared/contacts/kind-words.ts'
import { NameField } from '../../shared/contacts/name-field.tsx'
import { nameProblem } from '../../shared/contacts/name-problem.ts'
import { useContactIndex, useContacts } from '../../shared/contacts/use-contacts.ts'
import { Term } from '../../shared/glossary/term.tsx'
import { useAction } from '../../shared/hooks/use-action.ts'
import { quotable, visible } from '../../shared/text/visible.ts'
import { BackButton } from '../../shared/ui/buttons/back-button.tsx'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { ListProgress } from '../../shared/ui/feedback/list-progress.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { Fold } from '../../shared/ui/layout/fold.tsx'
import { Form, FormEnd } from '../../shared/ui/layout/form.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { ForeignQuote } from '../../shared/ui/text/foreign.tsx'
import { useVaultCheck } from '../../shared/vault/use-vault-check.ts'
import { useReadAgain, useVaultQuery } from '../../shared/vault/vault-query.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { nameWords } from '../../shared/words/who.ts'
import { changesOf } from './offer.ts'
import { OfferList } from './offer-list.tsx'
import { OwnerAnswerCard } from './owner-answer-card.tsx'
import { problemWords } from './problem-words.ts'

interface IntroductionProps {
  /** What was opened; undefined: it is pasted here. */
  text: string | undefined
  /** Leads to the contact that it was saved as. */
  onSaved: (contactId: string) => void
  /** Leads back to the contacts. */
  onLeave: () => void
}

/** A service introduces itself: what it says, who signed that, and saving it. Nothing is granted here. */
export function Introduction({ text, onSaved, onLeave }: IntroductionProps) {
  const [pasted, setPasted] = useState<string>()
  const given = text ?? pasted
  return (
    <div className="flex flex-col gap-6">
      <BackButton onClick={onLeave}>
        <Trans>All contacts</Trans>
      </BackButton>
      {given === undefined ? (
        <Paste onText={setPasted} />
      ) : (
        <Given key={given} text={given} onSaved={onSaved} onLeave={onLeave} />
      )}
    </div>
  )
}

function Paste({ onText }: { onText: (text: string) => void }) {
  const { t } = useLingui()
  const vault = useVault()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const read = useAction(async () => {
    if (text.trim() === '') {
      setProblem(t`Paste the link first.`)
      return
    }
    const found = await readIntroduction(vault, text)
    if ('problem' in found) setProblem(problemWords(found.problem))
    else onText(text)
  })
  return (
    <Card
      title={t`Add a service`}
      description={
        <>
          <Trans>
            A gate checks your grants in front of tools and APIs. Run “keyhole gate introduce” on its machine,
            then open the link or paste it here.
          </Trans>{' '}
          <Term of="service">
            <Trans>What’s a service?</Trans>
          </Term>
        </>
      }
    >
      <Form onSubmit={read.run}>
        <TextArea
          label={t`Link from the service`}
          mono
          rows={4}
          placeholder="keyhole-service-1.…"
          value={text}
          onValueChange={(next) => {
            setProblem(undefined)
            read.clear()
            setText(next)
          }}
          onCommit={read.run}
          error={problem}
        />
        <FormEnd action={read}>
          <Trans>Read it</Trans>
        </FormEnd>
      </Form>
    </Card>
  )
}

function Given({ text, onSaved, onLeave }: IntroductionProps & { text: string }) {
  const { t } = useLingui()
  const { found, error } = useVaultCheck(['introduction', text], (vault) => readIntroduction(vault, text))
  const { index, failed } = useContactIndex()
  const { own } = useContacts()
  if (error !== undefined || failed !== undefined) return <Failure error={error ?? failed} />
  if (!found || !index) return <ListProgress />
  const refused =
    'problem' in found
      ? problemWords(found.problem)
      : own.has(found.introduced.did)
        ? t`One of your own keys signed this introduction, so there’s nothing to save.`
        : undefined
  if (refused !== undefined || 'problem' in found)
    return (
      <Notice
        tone="bad"
        title={t`This introduction was refused.`}
        actions={
          <Button size="small" onClick={onLeave}>
            <Trans>All contacts</Trans>
          </Button>
        }
      >
        {refused}
      </Notice>
    )
  return <Shown introduced={found.introduced} index={index} onSaved={onSaved} onLeave={onLeave} />
}

interface ShownProps extends Pick<IntroductionProps, 'onSaved' | 'onLeave'> {
  introduced: Introduced
  index: ContactIndex
}

function Shown({ introduced, index, onSaved, onLeave }: ShownProps) {
  const { t } = useLingui()
  const vault = useVault()
  const why = whyFixed(useVaultSnapshot())
  const readAgain = useReadAgain('services')
  const { did, address, servers, services } = introduced
  const known = index.byId.get(index.named.get(did)?.id ?? '')
  const suggestion = cleanContactName(introduced.name)
  const [name, setName] = useState('')
  const [strict, setStrict] = useState(false)
  const [isOlder, setOlder] = useState(false)
  const [savedAs, setSavedAs] = useState<string>()
  const [to] = useState(() => replyOf(introduced, Date.now()))
  const { data: saved } = useVaultQuery('services', () => readServices(vault))
  const before = saved?.get(did)
  const save = useAction(async () => {
    setStrict(true)
    if (known === undefined && nameProblem(index, name) !== undefined) return
    // Asked again, and before anything is saved: another tab may have saved it since, and an older one changes nothing, its contact neither.
    const latest = (await readServices(vault)).get(did)
    if (latest && latest.at > introduced.at) {
      setOlder(true)
      return
    }
    const contact = await vault.contacts.save(
      known === undefined
        ? { name, kind: 'service', dids: [did], ...(suggestion !== '' && { suggestedName: suggestion }) }
        : { id: known.id, kind: 'service' },
    )
    if (!(await saveService(vault, introduced))) {
      setOlder(true)
      return
    }
    readAgain()
    // What comes next may sign a grant, and no message may cover it or say otherwise.
    if (to) setSavedAs(contact.id)
    else {
      announce(t`Saved as ${nameWords(contact.name)}`, t`Nothing was granted.`, { about: contact.id })
      onSaved(contact.id)
    }
  })
  if (to && savedAs !== undefined)
    return (
      <>
        <Notice tone="good" title={t`Saved as ${nameWords(index.byId.get(savedAs)?.name ?? name)}`} />
        <OwnerAnswerCard introduced={introduced} to={to} onLeave={() => onSaved(savedAs)} />
      </>
    )
  const changed = before && changesOf(before, introduced)
  return (
    <Card
      title={t`About this service`}
      description={t`Saving it doesn’t grant anything. You choose later what to grant.`}
    >
      <div className="flex flex-col gap-5">
        <Facts
          facts={[
            [t`It calls itself`, <ForeignQuote key="name">{quotable(introduced.name)}</ForeignQuote>],
            [t`Signed by`, <DidText key="did" text={did} what={t`the DID`} />],
            address === undefined ? undefined : [t`Address`, <code key="address">{visible(address)}</code>],
            [t`Offers`, <OfferCount key="offers" servers={servers} services={services} />],
          ]}
        />
        <Fold title={t`What it says it offers`}>
          <OfferList servers={servers} services={services} />
        </Fold>
        {known === undefined ? null : (
          <Notice tone={known.kind === 'service' ? 'plain' : 'warn'}>
            {known.kind === 'service' ? (
              <Trans>
                You know this key as <bdi>{nameWords(known.name)}</bdi>. The name stays.
              </Trans>
            ) : (
              <Trans>
                You know this key as <bdi>{nameWords(known.name)}</bdi> ({kindName(known.kind)}). The name
                stays, and the contact becomes a service.
              </Trans>
            )}
          </Notice>
        )}
        {changed ? <Changes {...changed} /> : null}
        {isOlder ? (
          <Notice tone="warn">
            <Trans>You have a newer introduction of this service. This one changed nothing.</Trans>
          </Notice>
        ) : null}
        <Form onSubmit={save.run}>
          {known === undefined ? (
            <>
              {suggestion === '' ? null : (
                <Button size="small" className="self-start" onClick={() => setName(suggestion)}>
                  <Trans>Use this name</Trans>
                </Button>
              )}
              <NameField
                index={index}
                value={name}
                onValueChange={(next) => {
                  save.clear()
                  setName(next)
                }}
                strict={strict}
              />
            </>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <FormEnd action={save} disabled={isOlder} why={why}>
              {known === undefined ? <Trans>Save the service</Trans> : <Trans>Save what it offers</Trans>}
            </FormEnd>
            <Button tone="bare" onClick={onLeave}>
              <Trans>Don’t save</Trans>
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  )
}

/** How many there are of each kind. Few services have prompts or resources, so they are left out at zero. */
function OfferCount({ servers, services }: Pick<Introduced, 'servers' | 'services'>) {
  const count = (of: (server: Introduced['servers'][number]) => number) =>
    servers.reduce((sum, server) => sum + of(server), 0)
  const tools = count(({ tools, more = 0 }) => tools.length + more)
  const prompts = count(({ prompts }) => prompts.length)
  const resources = count(({ resources, templates }) => resources.length + templates.length)
  const others = count(({ moreOthers = 0 }) => moreOthers)
  return (
    <>
      <Plural value={tools} _0="no tools" one="# tool" other="# tools" />,{' '}
      <Plural value={services.length} _0="no APIs" one="# API" other="# APIs" />
      {prompts > 0 ? (
        <>
          , <Plural value={prompts} one="# prompt" other="# prompts" />
        </>
      ) : null}
      {resources > 0 ? (
        <>
          , <Plural value={resources} one="# resource" other="# resources" />
        </>
      ) : null}
      {others > 0 ? (
        <>
          , <Plural value={others} one="# more prompt or resource" other="# more prompts or resources" />
        </>
      ) : null}
    </>
  )
}

function Changes({ added, gone, different }: ReturnType<typeof changesOf>) {
  const { t } = useLingui()
  if (added.length + gone.length + different.length === 0) return null
  const names = (all: readonly string[]) => all.slice(0, 12).map(quotable).join(', ')
  return (
    <Notice tone={different.length > 0 ? 'warn' : 'plain'} title={t`Its description has changed.`}>
      {different.length > 0 ? (
        <p>
          <Trans>Described differently:</Trans> <bdi>{names(different)}</bdi>
        </p>
      ) : null}
      {added.length > 0 ? (
        <p>
          <Trans>New:</Trans> <bdi>{names(added)}</bdi>
        </p>
      ) : null}
      {gone.length > 0 ? (
        <p>
          <Trans>Not offered any more:</Trans> <bdi>{names(gone)}</bdi>
        </p>
      ) : null}
      <p>
        <Trans>Grants you gave stay as they are.</Trans>
      </p>
    </Notice>
  )
}
