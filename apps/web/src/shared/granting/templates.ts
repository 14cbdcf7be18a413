import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { AUTHORIZE } from '../words/payment-commands.ts'
import type { ExpiryChoice } from './expiry.ts'

/** A common case, to start a grant from. */
export interface Template {
  id: string
  name: MessageDescriptor
  /** What it is for, in a line. */
  note: MessageDescriptor
  command: string
  policy: readonly unknown[]
  expiry: ExpiryChoice
}

/** Cases by whom they are for. */
export const TEMPLATES: readonly { who: MessageDescriptor; templates: readonly Template[] }[] = [
  {
    who: msg`For an agent or an app`,
    templates: [
      {
        id: 'read',
        name: msg`Read one folder`,
        note: msg`It may read what is under a path, and change nothing.`,
        command: '/file/read',
        policy: [['like', '.path', '/photos/*']],
        expiry: '7d',
      },
      {
        id: 'mail',
        name: msg`Send mail inside the house`,
        note: msg`It may write to one domain and to no other.`,
        command: '/msg/send',
        policy: [['like', '.to', '*@example.com']],
        expiry: '24h',
      },
      {
        id: 'api',
        name: msg`Call one API`,
        note: msg`It may fetch from one host over the web, small answers only.`,
        command: '/http/get',
        policy: [
          ['like', '.url', 'https://api.example.com/*'],
          ['<=', '.size', 1_000_000],
        ],
        expiry: '30d',
      },
      {
        id: 'spend',
        name: msg`Spend up to a sum`,
        note: msg`It may pay at most this much at a time, in one currency.`,
        command: AUTHORIZE,
        policy: [
          ['>', '.amount', 0],
          ['<=', '.amount', 5000],
          ['==', '.currency', 'EUR'],
        ],
        expiry: '7d',
      },
    ],
  },
  {
    who: msg`For a device`,
    templates: [
      {
        id: 'backup',
        name: msg`Put files in one folder`,
        note: msg`It may write under a path, files of a size you set.`,
        command: '/file/write',
        policy: [
          ['like', '.path', '/backup/laptop/*'],
          ['<=', '.size', 100_000_000],
        ],
        expiry: '90d',
      },
      {
        id: 'sign',
        name: msg`Ask for signatures`,
        note: msg`It may ask for small texts to be signed.`,
        command: '/crypto/sign',
        policy: [['<=', '.bytes', 4096]],
        expiry: '90d',
      },
    ],
  },
  {
    who: msg`For a person`,
    templates: [
      {
        id: 'share',
        name: msg`Share a folder`,
        note: msg`They may read and write files under a path.`,
        command: '/file',
        policy: [
          ['like', '.path', '/shared/*'],
          ['<=', '.size', 10_000_000],
        ],
        expiry: '30d',
      },
    ],
  },
]
