import type { Contact } from '@keyhole/vault'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Looks, loadLooks } from '../text/look-alike.ts'
import { ContactIndex } from './contact-index.ts'
import { byName, findContacts } from './find-contacts.ts'
import { nameProblem } from './name-problem.ts'

let looks: Looks
beforeAll(async () => {
  looks = await loadLooks()
})

const contact = (name: string, ...dids: string[]): Contact => ({
  ...{ id: name, name, kind: 'person', dids, createdAt: 1, updatedAt: 1 },
})
const index = (...contacts: Contact[]) => new ContactIndex(contacts, ['Personal', 'Phone'], looks)

describe('names that look alike', () => {
  it.each([
    ['\u0410nna', ['Anna']],
    ['ANNA ', ['Anna']],
    ['Annа\u200b', ['Anna']],
    ['Anne', []],
  ])('%j', (name, found) => {
    const { contacts } = index(contact('Anna', 'did:key:zA'), contact('Bob')).alike(name)
    expect(contacts.map((each) => each.name)).toEqual(found)
  })

  it('are both marked, and so is a name that Keyhole or the owner uses', () => {
    const { named } = index(
      contact('Anna', 'did:key:zA'),
      contact('Аnnа', 'did:key:zB'),
      contact('Bob', 'did:key:zC', 'did:key:zD'),
      contact('ph0ne', 'did:key:zE'),
      contact('Y0U', 'did:key:zF'),
    )
    expect([...named].map(([did, { isAlike }]) => [did.slice(-1), isAlike])).toEqual([
      ['A', true],
      ['B', true],
      ['C', false],
      ['D', false],
      ['E', true],
      ['F', true],
    ])
  })

  it('if the look of names can’t be loaded, each is marked and none is forbidden', () => {
    const unseen = new ContactIndex(
      [contact('Anna', 'did:key:zA'), contact('Bob', 'did:key:zB')],
      ['Personal'],
      () => [''],
    )
    expect([...unseen.named.values()].map(({ isAlike }) => isAlike)).toEqual([true, true])
    expect(nameProblem(unseen, 'Carol')).toBeUndefined()
  })
})

describe('a name is refused', () => {
  it.each([
    ...['you', 'You', 'Y\u043eu', 'dir', 'Du', 'Keyhole', 'KeyhoIe', 'Unknown key', 'unbekannter Schlüssel'],
    ...[
      'did:key:z6MkhaXgBZDvotDkL',
      'did\uff1aweb:shop.example',
      'kh1qqqqqqqqqqqqqq',
      'd\u0456d:key:z6MkhaXgBZ',
    ],
    ...['', '\u200b', 'x'.repeat(121), 'x'.repeat(10_000)],
  ])('%j', (name) => expect(nameProblem(index(), name)).toBeTypeOf('string'))

  it.each(['Anna', 'Young', 'Dirk', 'Keyhole Ltd', 'Didi', 'Khloe', 'Phone'])('and %j is not', (name) =>
    expect(nameProblem(index(contact('Anna')), name)).toBeUndefined(),
  )
})

describe('contacts are found', () => {
  const all = byName([
    contact('zoë', 'did:key:zZoe'),
    { ...contact('Bob', 'did:key:zBob'), note: 'Anna’s brother' },
    contact('Anna'),
    contact('Device 10'),
    contact('Device 9'),
  ])
  it('in the order of their names', () =>
    expect(all.map(({ name }) => name)).toEqual(['Anna', 'Bob', 'Device 9', 'Device 10', 'zoë']))
  it.each([
    ['', ['Anna', 'Bob', 'Device 9', 'Device 10', 'zoë']],
    ['anna', ['Anna', 'Bob']],
    ['ZOE', ['zoë']],
    ['zbob', ['Bob']],
    ['device 1', ['Device 10']],
    ['brother bob', ['Bob']],
    ['nobody', []],
  ])('%j', (text, names) => expect(findContacts(all, text).map(({ name }) => name)).toEqual(names))

  it('among 10,000, with their looks prepared', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => contact(`Contact ${at}`, `did:key:z${at}`))
    const made = index(...many)
    expect(made.named.get('did:key:z9999')).toMatchObject({ name: 'Contact 9999', isAlike: false })
    expect(findContacts(byName(many), 'contact 9999').map(({ name }) => name)).toEqual(['Contact 9999'])
  })
})
