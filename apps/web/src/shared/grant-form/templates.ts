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
  /** It names a server or an API behind a gate. Where the owner has saved services, what they offer is shown instead. */
  ofGate?: true
}

/** Cases by whom they are for. */
export const TEMPLATES: readonly { who: MessageDescriptor; templates: readonly Template[] }[] = [
  {
    who: msg`For an agent or an app`,
    templates: [
      {
        id: 'read',
        ofGate: true,
        name: msg`Read one folder`,
        note: msg`They can read text files under a path, through a file server behind your gate, and change nothing.`,
        command: '/mcp/tools/call',
        policy: [
          ['==', '.server', 'files'],
          ['==', '.name', 'read_text_file'],
          ['like', '.arguments.path', '/home/me/notes/*'],
        ],
        expiry: '7d',
      },
      {
        id: 'tool',
        ofGate: true,
        name: msg`One tool of an MCP server`,
        note: msg`They can call this tool of a server behind your gate, and no other.`,
        command: '/mcp/tools/call',
        policy: [
          ['==', '.server', 'files'],
          ['==', '.name', 'list_directory'],
        ],
        expiry: '7d',
      },
      {
        id: 'mail',
        name: msg`Send email within your company`,
        note: msg`They can write to one domain and no other.`,
        command: '/msg/send',
        policy: [['like', '.to', '*@example.com']],
        expiry: '24h',
      },
      {
        id: 'api',
        ofGate: true,
        name: msg`One API, read only`,
        note: msg`They can fetch from one API behind your gate, under a path.`,
        command: '/http/get',
        policy: [
          ['==', '.service', 'github'],
          ['like', '.path', '/repos/*'],
        ],
        expiry: '30d',
      },
      {
        id: 'spend',
        name: msg`Spend up to an amount`,
        note: msg`They can pay up to this much at a time, in one currency.`,
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
        note: msg`They can write under a path, files up to a size you set.`,
        command: '/file/write',
        policy: [
          ['like', '.path', '/backup/laptop/*'],
          ['<=', '.size', 100_000_000],
        ],
        expiry: '90d',
      },
      {
        id: 'sign',
        name: msg`Request signatures`,
        note: msg`They can ask for short texts to be signed.`,
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
        note: msg`They can do anything with files under a path.`,
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
