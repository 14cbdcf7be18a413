import {
  FOLLOW_COMMAND,
  FOLLOW_LASTS,
  type Introduced,
  type LeftAnswer,
  leaveOwnerAnswer,
  type OwnerAnswer,
  type OwnerReply,
  signOwnerAnswer,
} from '@keyhole/vault/services'
import { useVault, useVaultSnapshot } from '@keyhole/vault-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useId, useState } from 'react'
import { useArmed } from '../../shared/arming/use-armed.ts'
import { slot } from '../../shared/asker/slots.ts'
import { useContacts } from '../../shared/contacts/use-contacts.ts'
import { SentenceView } from '../../shared/grant-words/sentence-view.tsx'
import { useAction } from '../../shared/hooks/use-action.ts'
import { isOwnRelay, ownRelay } from '../../shared/relay/own-relay.ts'
import { hasRelay, isRelayOn } from '../../shared/relay/relay-setting.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Failure } from '../../shared/ui/feedback/failure.tsx'
import { ListProgress } from '../../shared/ui/feedback/list-progress.tsx'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { Card } from '../../shared/ui/layout/card.tsx'
import { Facts } from '../../shared/ui/layout/facts.tsx'
import { DidText } from '../../shared/ui/text/did-text.tsx'
import { KeyChoice } from '../../shared/vault/key-choice.tsx'
import { signingKey } from '../../shared/vault/signing-key.ts'
import { whyFixed } from '../../shared/words/refusals/why-fixed.ts'
import { shorten, signedWho } from '../../shared/words/who.ts'

interface OwnerAnswerCardProps {
  introduced: Introduced
  /** Where it waits for the answer. */
  to: OwnerReply
  /** Leads on, with or without an answer. */
  onLeave: () => void
}

/** The relay that the service is told of; undefined if there is none, or it is turned off. */
async function relayToTell(): Promise<string | undefined> {
  return isRelayOn() && (await hasRelay()) ? ownRelay() : undefined
}

/** A saved service waits for its owner: what it would be told, and telling it. It stays a decision of its own. */
export function OwnerAnswerCard({ introduced, to, onLeave }: OwnerAnswerCardProps) {
  const { t } = useLingui()
  const { data: relay, error } = useQuery({
    queryKey: ['relay-to-tell'],
    // A query can't answer undefined.
    queryFn: async () => (await relayToTell()) ?? '',
    retry: false,
  })
  const [answer, setAnswer] = useState<OwnerAnswer>()
  const isElsewhere = 'relay' in to && !isOwnRelay(to.relay)
  return (
    <Card
      title={t`This gate is waiting for its owner`}
      description={t`A gate lets through what its owner grants. Answer only if you set up this gate yourself, just now.`}
    >
      {isElsewhere ? (
        <Elsewhere relay={to.relay} onLeave={onLeave} />
      ) : error ? (
        <Failure error={error} />
      ) : relay === undefined ? (
        <ListProgress />
      ) : answer ? (
        <Sending to={to} answer={answer} onLeave={onLeave} />
      ) : (
        <Question
          introduced={introduced}
          to={to}
          relay={relay === '' ? undefined : relay}
          onSigned={setAnswer}
          onLeave={onLeave}
        />
      )}
    </Card>
  )
}

interface QuestionProps extends OwnerAnswerCardProps {
  relay: string | undefined
  onSigned: (answer: OwnerAnswer) => void
}

function Question({ introduced, to, relay, onSigned, onLeave }: QuestionProps) {
  const { t } = useLingui()
  const vault = useVault()
  const snapshot = useVaultSnapshot()
  const why = whyFixed(snapshot)
  const { keys, defaultKey, label } = snapshot
  const [chosen, setChosen] = useState('')
  const key = signingKey({ keys, defaultKey }, chosen)
  // The end that was read is the one that is signed.
  const [until] = useState(() => Math.floor((Date.now() + FOLLOW_LASTS) / 1_000))
  const sign = useAction(async () => {
    const following = relay === undefined ? undefined : { relay, until }
    if (key) onSigned(await signOwnerAnswer(vault, introduced, to, key, following))
  })
  const [signed, setSigned] = useState<Element | null>(null)
  const approval = useArmed({
    shown:
      key && why === undefined ? JSON.stringify([introduced.text, to, key.key_id, relay, until]) : undefined,
    subject: signed,
    approve: () => sign.run(),
  })
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={[
          [
            t`Owner`,
            <span key="owner" className="flex flex-wrap items-center gap-x-3">
              {label === undefined ? null : <bdi>{label}</bdi>}
              <DidText text={key?.did ?? ''} what={t`the DID`} />
            </span>,
          ],
          [t`Relay`, relay === undefined ? t`No relay` : <code key="relay">{relay}</code>],
        ]}
      />
      <KeyChoice label={t`Signed with`} keys={keys} chosen={key} onChoose={setChosen} />
      {key === undefined ? null : (
        <Signed
          ref={setSigned}
          owner={key.did}
          gate={introduced.did}
          until={relay === undefined ? undefined : until}
        />
      )}
      <div className="flex flex-col gap-2 text-sm">
        <p>
          <Trans>The gate is told this DID and this relay, and nothing else about you.</Trans>
        </p>
        <p>
          {relay === undefined ? (
            <Trans>Without a relay, the gate hears what you revoke only if you tell it.</Trans>
          ) : (
            <Trans>You’ll find the grant under Grants, where you can revoke it.</Trans>
          )}
        </p>
      </div>
      <Failure error={sign.error} />
      {why === undefined ? null : <p className="text-ink-soft text-sm">{why}</p>}
      <div ref={approval.block} className="flex flex-col gap-4">
        <p className="text-sm">
          {'loopback' in to ? (
            <Trans>
              The answer goes to a program on this computer: <Host of={to.loopback} />
            </Trans>
          ) : (
            <Trans>
              The answer goes encrypted to a mailbox at <Host of={to.relay} />. Only the gate can read it.
            </Trans>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" busy={sign.pending} why={why} {...approval.button}>
            <Trans>Sign as the owner</Trans>
          </Button>
          <Button tone="bare" disabled={sign.pending} onClick={onLeave}>
            <Trans>Don’t answer</Trans>
          </Button>
        </div>
      </div>
    </div>
  )
}

interface SignedProps {
  ref: Ref<HTMLElement>
  owner: string
  gate: string
  /** When its grant to follow revocations ends, in seconds since 1970; undefined if it gets none. */
  until: number | undefined
}

/** What the button signs, in words. */
function Signed({ ref, owner, gate, until }: SignedProps) {
  const contacts = useContacts()
  const heading = useId()
  const [service, key] = [signedWho(gate, contacts), shorten(owner)]
  return (
    <section ref={ref} aria-labelledby={heading} {...slot('sentence')} className="flex flex-col gap-2">
      <h3 id={heading} className="font-semibold text-sm">
        <Trans>What you are about to sign</Trans>
      </h3>
      {until === undefined ? null : (
        <SentenceView
          contacts={contacts}
          capability={{
            ...{ issuer: owner, audience: gate, subject: owner, command: FOLLOW_COMMAND, policy: [] },
            expiresAt: until * 1_000,
          }}
        />
      )}
      <p className="wrap-anywhere">
        <Trans>
          <bdi>{service}</bdi> is told that you ({key}) are its owner, and saves that once you confirm it
          there. The answer itself works once.
        </Trans>
      </p>
    </section>
  )
}

/** The answer on its way, and the code. By loopback the person opens a window with it, so that the code stays on screen here. */
function Sending({
  to,
  answer: { code, way },
  onLeave,
}: {
  to: OwnerReply
  answer: OwnerAnswer
  onLeave: () => void
}) {
  const [isOpened, setOpened] = useState(false)
  const sealed = 'sealed' in way ? way.sealed : undefined
  const { data: left, refetch } = useQuery({
    queryKey: ['owner-answer', sealed],
    queryFn: () => ('relay' in to && sealed !== undefined ? leaveOwnerAnswer(to, sealed) : 'failed'),
    enabled: sealed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <div className="flex flex-col gap-5">
      {'link' in way ? (
        <a
          className={buttonClass('primary', 'normal', 'self-start')}
          href={way.link}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => setOpened(true)}
        >
          <Trans>Send it to the gate</Trans>
        </a>
      ) : left === undefined ? (
        <ListProgress />
      ) : (
        <Left left={left} again={() => void refetch()} />
      )}
      {isOpened || left === 'left' ? (
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            <Trans>The gate now shows a code where you started it. Type yes there if it is this one:</Trans>
          </p>
          <p className="font-mono text-2xl tracking-wide" data-testid="owner-code">
            {code}
          </p>
          <p className="text-sm">
            <Trans>If it shows another code, someone else answered. Then say no, and start again.</Trans>
          </p>
        </div>
      ) : null}
      <Button className="self-start" onClick={onLeave}>
        <Trans>Done</Trans>
      </Button>
    </div>
  )
}

function Left({ left, again }: { left: LeftAnswer; again: () => void }) {
  const { t } = useLingui()
  switch (left) {
    case 'left':
      return <Notice tone="good" title={t`Answer sent`} />
    case 'taken':
      return (
        <Notice tone="bad" title={t`It already has another answer`}>
          <Trans>
            If you didn’t answer before, someone else has seen the link. Say no if the gate shows a code. Then
            run “keyhole gate introduce” again.
          </Trans>
        </Notice>
      )
    case 'expired':
      return (
        <Notice tone="warn" title={t`The gate no longer waits`}>
          <Trans>It waits for ten minutes. Run “keyhole gate introduce” for a new link.</Trans>
        </Notice>
      )
    case 'failed':
      return (
        <Notice
          tone="bad"
          title={t`The answer wasn’t sent`}
          actions={
            <Button size="small" onClick={again}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          <Trans>The relay can’t be reached. Check your connection and try again.</Trans>
        </Notice>
      )
  }
}

/** A page may connect to its own origin alone. */
function Elsewhere({ relay, onLeave }: { relay: string; onLeave: () => void }) {
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>
        <Trans>
          It waits at <Host of={relay} />, and your vault only sends to its own relay. Put your DID into
          “owners” in the gate’s configuration.
        </Trans>
      </p>
      <Button className="self-start" onClick={onLeave}>
        <Trans>Done</Trans>
      </Button>
    </div>
  )
}

/** The whole origin, because trust depends on it. */
function Host({ of }: { of: string }) {
  return <strong className="wrap-anywhere font-mono">{new URL(of).origin}</strong>
}
