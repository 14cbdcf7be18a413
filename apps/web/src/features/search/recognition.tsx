import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { setDraft } from '../common/drafts.ts'
import { EMPTY_DRAFT } from '../grants/draft.ts'
import { CHECK_DRAFT } from '../inspect/draft.ts'
import type { Recognised } from '../words/recognise.ts'

const NAMES: Record<Recognised['kind'], string> = {
  token: 'a token',
  did: 'a DID',
  cid: 'the CID of a token',
  address: 'an address',
  words: 'words',
}

interface RecognitionProps {
  recognised: Recognised
  /** How much of what is stored has it in it. */
  found: number
}

/** Says what was pasted, and leads to what it is. */
export function Recognition({ recognised, found }: RecognitionProps) {
  const { kind, value } = recognised
  const known =
    kind === 'token' ? undefined : found === 0 ? 'Nothing stored here has to do with it.' : undefined
  return (
    <Notice
      title={`This is ${NAMES[kind]}.`}
      actions={
        kind === 'token' ? (
          <Link
            to="/identity"
            search={{ tab: 'check' }}
            onClick={() => setDraft(CHECK_DRAFT, value)}
            className={buttonClass('primary', 'small')}
          >
            Check the token
          </Link>
        ) : kind === 'did' ? (
          <Link
            to="/identity"
            search={{ tab: 'grants' }}
            onClick={() => setDraft('grant', { ...EMPTY_DRAFT, audience: value })}
            className={buttonClass('quiet', 'small')}
          >
            Grant it something
          </Link>
        ) : null
      }
    >
      {known}
    </Notice>
  )
}
