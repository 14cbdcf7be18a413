import { covers } from '../words/covers.ts'
import { AUTHORIZE, REQUEST } from '../words/payment-commands.ts'
import type { NodeKind } from './node.ts'

/** A field that calls of a command usually have, and a limit for it. */
export interface KnownField {
  /** As a selector: `.path`. */
  readonly field: string
  readonly kind: NodeKind
  /** An example value for the limit. */
  readonly example: string
}

const PATH: KnownField = { field: '.path', kind: 'like', example: '/photos/*' }
const SIZE: KnownField = { field: '.size', kind: '<=', example: '1000000' }
const SERVER: KnownField = { field: '.server', kind: '==', example: 'files' }
/** The code of a call that the owner allows by itself. The service makes it and puts it in its request. */
const ONCE: KnownField = {
  field: '.once',
  kind: '==',
  example: '1800000900.c2VydmljZWNv.dGhlIGNvZGUgb2Ygb25lIGNhbGwsIG9mIGEgZ2F0ZQ',
}
const PAYMENT: readonly KnownField[] = [
  { field: '.amount', kind: '<=', example: '5000' },
  { field: '.currency', kind: '==', example: 'EUR' },
  { field: '.payee', kind: '==', example: 'did:web:shop.example' },
]

/** By the widest command they apply to. */
const FIELDS: readonly (readonly [command: string, fields: readonly KnownField[]])[] = [
  ['/file', [PATH, SIZE]],
  [
    '/msg',
    [
      { field: '.to', kind: 'like', example: '*@example.com' },
      { field: '.subject', kind: 'like', example: 'Invoice *' },
    ],
  ],
  // From docs/commands.md.
  [
    '/mcp/tools/call',
    [
      SERVER,
      { field: '.name', kind: '==', example: 'read_text_file' },
      { field: '.arguments.path', kind: 'like', example: '/home/me/notes/*' },
      ONCE,
    ],
  ],
  [
    '/mcp/resources/read',
    [SERVER, { field: '.uri', kind: 'like', example: 'file:///home/me/notes/*' }, ONCE],
  ],
  ['/mcp/prompts/get', [SERVER, { field: '.name', kind: '==', example: 'review' }, ONCE]],
  [
    '/http',
    [
      { field: '.service', kind: '==', example: 'github' },
      { field: '.path', kind: 'like', example: '/repos/*' },
      ONCE,
    ],
  ],
  ['/crypto/sign', [{ field: '.bytes', kind: '<=', example: '4096' }]],
  [AUTHORIZE, PAYMENT],
  [REQUEST, PAYMENT],
]

/** The fields to offer for a command's limits. None for a command that Keyhole doesn't know. */
export function knownFields(command: string): readonly KnownField[] {
  return FIELDS.find(([wider]) => covers(wider, command))?.[1] ?? []
}

/** An example value for a field of a command. */
export function exampleOf(command: string, field: string): string | undefined {
  const name = field.trim().replace(/^\.?/, '.')
  return knownFields(command).find((known) => known.field === name)?.example
}
