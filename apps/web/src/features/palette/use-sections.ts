import { useVaultSnapshot } from '@keyhole/vault-react'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { BadgeCheck, Ban, CornerDownRight, Plus, Search } from 'lucide-react'
import type { Found } from '../../shared/search/find.ts'
import { useOpenTarget } from '../../shared/search/use-open-target.ts'
import { kindWord, statusWord } from '../../shared/search/words.ts'
import { isOpened, recognise } from '../../shared/words/recognise.ts'
import type { Entry, Section } from './entry.ts'
import { rank } from './rank-commands.ts'
import { noteCommand, noteFind, recentCommands, recentFinds } from './recent.ts'
import type { Shortcut } from './shortcuts/keys.ts'
import type { Shown } from './shown.ts'
import { useCommands } from './use-commands.ts'
import { useFound } from './use-found.ts'
import { useHowTo } from './use-how-to.ts'
import { useText } from './use-text.ts'

/** At most so many commands stand before what the vault holds: the first find is never far. */
const BEFORE = 2
/** At most so many questions that lead somewhere. */
const QUESTIONS = 4
/** At most so many of the grants that were found can be revoked from here. */
const REVOCABLE = 3
/** A token's text is told from words by its length; longer queries than this are not searched by words. */
const LONGEST_QUERY = 300

/** What kind of thing was found, and its status unless it is active. */
function wordsFor({ kind, status }: Found): string {
  const word = kindWord(kind)
  return status === undefined || status === 'live' ? word : `${word} · ${statusWord(status)}`
}

interface Wishes {
  perform: (shortcut: Shortcut) => void
  onShow: (shown: Shown) => void
  /** Asks whether to revoke the grant with this CID. */
  onRevoke: (cid: string) => void
}

/** What the palette shows for a query, and whether more of it is on its way. */
export function useSections(query: string, wishes: Wishes): { sections: Section[]; pending: boolean } {
  const { t } = useLingui()
  const navigate = useNavigate()
  const openTarget = useOpenTarget()
  const goWith = useText()
  const { address, phase, fromCopy } = useVaultSnapshot()
  const where = `${phase} ${address ?? ''}`
  const { places, deeds } = useCommands(wishes)
  const howTo = useHowTo(() => wishes.onShow('words'))
  // "Revoke holiday" looks for what can be revoked.
  const typed = query.trim()
  const verb = t({ message: 'revoke', comment: 'Typed in the palette before the name of a grant' })
  const isRevoking = typed.toLowerCase().startsWith(`${verb} `)
  const text = isRevoking ? typed.slice(verb.length).trim() : typed
  const recognised = recognise(text)
  const finds = useFound(text)

  const entryOf = (find: Found): Entry => ({
    id: find.id,
    title: find.title,
    detail: find.detail,
    sentence: find.sentence,
    kind: wordsFor(find),
    icon: CornerDownRight,
    leaves: true,
    run: () => {
      noteFind(where, find)
      openTarget(find.target)
    },
  })
  const noted = (entry: Entry): Entry => ({
    ...entry,
    run: () => {
      noteCommand(entry.id)
      entry.run()
    },
  })

  if (text === '') {
    const all = [...deeds, ...places, ...howTo]
    const recent = recentCommands().flatMap((id) => all.find((each) => each.id === id) ?? [])
    const known = new Set(recent.map(({ id }) => id))
    const rest = (entries: readonly Entry[]) => entries.filter(({ id }) => !known.has(id)).map(noted)
    const first = [...recentFinds(where).map(entryOf), ...recent.map(noted)]
    return {
      pending: false,
      sections: [
        { id: 'recent', heading: t`Recent`, entries: first },
        { id: 'do', heading: t`Do`, entries: rest(deeds) },
        { id: 'go', heading: t`Go to`, entries: rest(places) },
        { id: 'how', heading: t`How do I…`, entries: rest(howTo) },
      ].filter(({ entries }) => entries.length > 0),
    }
  }

  const canRevoke = phase === 'unlocked' && fromCopy !== true
  const revocable = finds.found.filter((found) => canRevoke && found.isRevocable).slice(0, REVOCABLE)
  const revoke = {
    id: 'revoke',
    heading: t`Revoke`,
    entries: revocable.map(
      ({ id, title, detail, sentence, target }): Entry => ({
        id: `revoke:${id}`,
        title: t`Revoke “${title}”…`,
        detail,
        sentence,
        icon: Ban,
        leaves: false,
        run: () => {
          if (target.page === 'token') wishes.onRevoke(target.cid)
        },
      }),
    ),
  }
  const inVault = { id: 'vault', heading: t`In your vault`, entries: finds.found.map(entryOf) }
  const pasted: Entry[] = []
  if (recognised.kind === 'token') {
    pasted.push({
      id: 'check-pasted',
      title: t`Check this token`,
      detail: t`What it says in words, and whether it’s valid.`,
      icon: BadgeCheck,
      leaves: true,
      run: () => goWith(text),
    })
  }
  if (recognised.kind === 'request') {
    pasted.push({
      id: 'open-pasted',
      title: t`Open this request`,
      detail: t`What it asks for, and how to answer it.`,
      icon: BadgeCheck,
      leaves: true,
      run: () => goWith(text),
    })
  }
  if (recognised.kind === 'did') {
    pasted.push({
      id: 'grant-pasted',
      title: t`New grant for this DID`,
      detail: recognised.value,
      icon: Plus,
      leaves: true,
      run: () => goWith(text),
    })
  }
  const commands = recognised.kind === 'words' ? rank([...places, ...deeds], text).map(noted) : []
  const questions = recognised.kind === 'words' ? rank(howTo, text).slice(0, QUESTIONS).map(noted) : []
  const everywhere: Entry = {
    id: 'everywhere',
    title: t`Search for this on the Search page`,
    icon: Search,
    leaves: true,
    run: () => void navigate({ to: '/search', search: { q: text } }),
  }
  const searchable = !isOpened(recognised) && text.length <= LONGEST_QUERY
  return {
    pending: finds.pending,
    sections: [
      ...(isRevoking ? [revoke] : []),
      { id: 'first', heading: t`Go to and do`, entries: commands.slice(0, BEFORE) },
      inVault,
      ...(isRevoking ? [] : [revoke]),
      { id: 'pasted', heading: t`With what you pasted`, entries: pasted },
      { id: 'how', heading: t`How do I…`, entries: questions },
      {
        id: 'rest',
        heading: t`More`,
        entries: [...commands.slice(BEFORE), ...(searchable ? [everywhere] : [])],
      },
    ].filter(({ entries }) => entries.length > 0),
  }
}
