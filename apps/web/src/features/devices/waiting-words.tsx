import type { DevicesState, DevicesWaitFor } from '@keyhole/vault/devices'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useNow } from '../../shared/hooks/use-now.ts'
import { Button } from '../../shared/ui/buttons/button.tsx'
import { buttonClass } from '../../shared/ui/buttons/button-class.ts'
import { Notice } from '../../shared/ui/feedback/notice.tsx'
import { nearMoment } from '../../shared/words/when.ts'

interface Words {
  readonly title: MessageDescriptor
  readonly advice: MessageDescriptor
  /** Whether asking the relay now may help. */
  readonly again?: true
}

const WAITS: Readonly<Record<DevicesWaitFor, Words>> = {
  unlock: {
    title: msg`Your devices sync once this vault is unlocked.`,
    advice: msg`If it is unlocked, lock it and unlock it again.`,
  },
  tab: {
    title: msg`Another tab syncs your devices.`,
    advice: msg`What you change here is sent by that tab. Add and remove devices there, or close it.`,
  },
  network: {
    title: msg`The relay can’t be reached.`,
    advice: msg`Everything here works and is saved. It’s sent once the connection is back.`,
    again: true,
  },
  relay_busy: {
    title: msg`The relay is busy.`,
    advice: msg`The rest will be sent soon.`,
  },
  relay_full: {
    title: msg`The relay has no space left for this vault.`,
    advice: msg`Everything here works and is saved, but isn’t sent. Ask the person who runs the relay.`,
    again: true,
  },
  relay_refuses: {
    title: msg`The relay doesn’t accept this device.`,
    advice: msg`Everything here works and is saved, but isn’t sent. Ask the person who runs the relay.`,
    again: true,
  },
  relay_revoked: {
    title: msg`The relay says that this device was removed.`,
    advice: msg`Look at the list on another device. If this one is still in it, ask the person who runs the relay.`,
  },
  clock: {
    title: msg`This device’s clock is wrong.`,
    advice: msg`It differs from the relay’s by more than a minute. Set it, then check again.`,
    again: true,
  },
  relay_nonsense: {
    title: msg`The relay doesn’t answer as it should.`,
    advice: msg`Everything here works and is saved, but isn’t sent. Ask the person who runs the relay.`,
    again: true,
  },
  heads: {
    title: msg`The relay showed your devices different lists.`,
    advice: msg`Changes stay here until one of your devices has read both lists and merged them. Nothing is lost.`,
    again: true,
  },
  unnamed: {
    title: msg`The relay hasn’t shown yet that this device was added.`,
    advice: msg`So this device can’t tell whether it was. Check again soon, or look at the list on another device.`,
    again: true,
  },
  storage: {
    title: msg`This browser couldn’t save what your devices exchange.`,
    advice: msg`It may have no space left. Free some space on this device, then check again.`,
    again: true,
  },
}

/** What is shown of how devices are. */
type Standing = Pick<DevicesState, 'isRemoved' | 'waitsFor' | 'lastRead'>

/** What the devices wait for, or that they're in step. */
export function DevicesStanding({ state, onRetry }: { state: Standing; onRetry: () => void }) {
  const { i18n, t } = useLingui()
  const { waitsFor, lastRead } = state
  const now = useNow()
  // Only a head that this device has read is certain. A relay can say so to all devices.
  if (state.isRemoved) return <RemovedNotice title={t`This device was removed.`} />
  if (waitsFor === 'relay_revoked') {
    const { title, advice } = WAITS.relay_revoked
    return <RemovedNotice title={i18n._(title)}>{i18n._(advice)}</RemovedNotice>
  }
  if (waitsFor !== undefined) {
    const { title, advice, again } = WAITS[waitsFor]
    return (
      <Notice
        tone="warn"
        title={i18n._(title)}
        actions={
          again ? (
            <Button size="small" onClick={onRetry}>
              <Trans>Check now</Trans>
            </Button>
          ) : undefined
        }
      >
        {i18n._(advice)}
      </Notice>
    )
  }
  if (lastRead === undefined)
    return (
      <p role="status" className="text-ink-soft text-sm">
        <Trans>Checking with the relay…</Trans>
      </p>
    )
  const asked = nearMoment(lastRead, now)
  return (
    <p role="status" className="text-ink-soft text-sm">
      <Trans>Your devices are in sync. Last checked with the relay: {asked}.</Trans>
    </p>
  )
}

/** What it means for this device that another one removed it, and what to do. */
function RemovedNotice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Notice
      tone="bad"
      title={title}
      actions={
        <Link to="/identity" search={{ tab: 'backup' }} className={buttonClass('quiet', 'small')}>
          <Trans>Create a backup</Trans>
        </Link>
      }
    >
      {children ? <p>{children}</p> : null}
      <p>
        <Trans>What was here stays here, but nothing goes to your other devices or comes from them.</Trans>{' '}
        <Trans>What wasn’t sent is only here, so create a backup first.</Trans>{' '}
        <Trans>
          Then, to sync this device again, remove the vault from this browser and add the device again.
        </Trans>
      </p>
    </Notice>
  )
}
