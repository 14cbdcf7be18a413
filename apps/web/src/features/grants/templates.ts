import type { Row } from '../policy/rows.ts'
import type { ExpiryChoice } from './expiry.ts'

/** A common case, to start a grant from. */
export interface Template {
  id: string
  name: string
  /** What it is for, in a line. */
  note: string
  command: string
  rows: readonly Omit<Row, 'id'>[]
  expiry: ExpiryChoice
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'read',
    name: 'Read one folder',
    note: 'An app may read what is under a path, and change nothing.',
    command: '/crud/read',
    rows: [{ field: '.path', operator: 'like', value: '/photos/*' }],
    expiry: '7d',
  },
  {
    id: 'mail',
    name: 'Send mail inside the house',
    note: 'An agent may write to one domain and to no other.',
    command: '/msg/send',
    rows: [{ field: '.to', operator: 'like', value: '*@example.com' }],
    expiry: '24h',
  },
  {
    id: 'api',
    name: 'Call one API',
    note: 'A service may fetch from one host over the web.',
    command: '/http/get',
    rows: [{ field: '.url', operator: 'like', value: 'https://api.example.com/*' }],
    expiry: '30d',
  },
  {
    id: 'sign',
    name: 'Ask for signatures',
    note: 'A device may ask for small texts to be signed.',
    command: '/crypto/sign',
    rows: [{ field: '.bytes', operator: '<=', value: '4096' }],
    expiry: '90d',
  },
]
