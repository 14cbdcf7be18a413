import { describe, expect, it } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { commandProblem, commandWords } from '../words/command.ts'
import { covers } from '../words/covers.ts'
import { CURRENCIES } from '../words/currency.ts'
import { amountsToFind, money, parseMoney } from '../words/payment.ts'
import { didProblem, recognise } from '../words/recognise.ts'
import { distance, endWords, standing } from '../words/when.ts'
import { NOBODY, shorten } from '../words/who.ts'
import { letsMissingThrough, limitText, policyLimits, statementLimit } from './limits.ts'
import { delegationSentence, tellGrant } from './sentence.ts'

const ME = 'did:key:z6MkmeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeME'
const THEM = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'
const NOW = Date.UTC(2026, 10, 21, 10, 0, 0)

const statementWords = (statement: unknown) => limitText(statementLimit(statement))
const paymentWords = (policy: readonly unknown[]) =>
  policyLimits('/payment/authorize', policy).limits.map((limit) => limitText(limit))

describe('statementWords', () => {
  it.each([
    [['<=', '.amount', 5000], '“amount” is at most 5000'],
    [['<=', '.file.size', 10_000_000], '“file.size” is at most 10,000,000'],
    [['<=', '.maxBytes', 4096], '“maxBytes” is at most 4096'],
    [['<', '.bytes', 1_048_577], '“bytes” is less than 1,048,577'],
    [['>', '.n', 90071992547409931n], '“n” is more than 90,071,992,547,409,931'],
    [['==', '.currency', 'GBP'], '“currency” is “GBP”'],
    [['!=', '.x', null], '“x” is given'],
    [['like', '.to', '*@example.com'], '“to” ends with “@example.com”'],
    [['like', '.to', 'a\\*b*'], '“to” starts with “a*b”'],
    [['like', '.to', '*x*'], '“to” contains “x”'],
    [['like', '.to', 'a*b'], '“to” fits the pattern “a*b”, where * is any text'],
    [
      [
        'or',
        [
          ['==', '.a', 1],
          ['==', '.b', 2],
        ],
      ],
      'at least one of these 2: 1) “a” is 1; 2) “b” is 2; end of the list',
    ],
    [['and', []], 'nothing: this does not limit anything'],
    [['not', ['==', '.a', true]], '“a” is not true (If “a” is left out, this does not limit anything.)'],
    [['all', '.items', ['<', '.price', 10]], 'every item in “items”: the item’s “price” is less than 10'],
    [['any', '.', ['==', '.', 'x']], 'at least one item in the whole request: the item is “x”'],
  ])('%s → %s', (statement, words) => expect(statementWords(statement)).toBe(words))

  it('says when a condition can’t be read, and never drops it', () => {
    expect(statementWords(['odd', '.a', 1])).toBe('a condition Keyhole cannot read: ["odd", ".a", 1]')
  })
})

describe('what a stranger wrote into a token', () => {
  it.each([
    [['==', '.to', 'a\u202eb\u0000\u200d'], '“to” is “a\\u{202e}b\\u{0}\\u{200d}”'],
    [['==', '.to', 'x” or “cc” is “y'], '“to” is “x\\” or \\“cc\\” is \\“y”'],
    [['like', '.to', '\u2066*'], '“to” starts with “\\u{2066}”'],
    [['==', '.["a\u200fb"]', 1], '“["a\\u{200f}b"]” is 1'],
    [['==', '.list', ['\u202e']], '“list” is ["\\u202e"]'],
    [['==', '.to', 'C:\\u0062ob\\x41'], '“to” is “C:\\u0062ob\\x41”'],
    [['==', '.emoji', '👩\u200d👧'], '“emoji” is “👩\\u{200d}👧”'],
    [['==', '.to', 'b\u043eb@example.com'], '“to” is “b\\u{43e}b@example.com”'],
    [['==', '.to', '\uff42ob'], '“to” is “\\u{ff42}ob”'],
    [['==', '.to', 'борис'], '“to” is “борис”'],
    [['==', '.to', 'Zoë ½ m² naïve e\u0301'], '“to” is “Zoë ½ m² naïve e\u0301”'],
    [['==', '.to', 'a\u0301\u0301\u0301\u0301'], '“to” is “a\u0301\u0301\u0301\\u{301}”'],
    [['==', '.to', '\\u{202e}'], '“to” is “\\\\u{202e}”'],
    [['==', '.to', 'x\\'], '“to” is “x\\\\”'],
    // A page shows several spaces as one.
    [['==', '.to', 'a   b c '], '“to” is “a \\u{20}\\u{20}b c ”'],
    [['like', '.to', 'é  *'], '“to” starts with “é \\u{20}”'],
    [['==', '.["a  b"]', ['c  d']], '“["a \\u{20}b"]” is ["c \\u0020d"]'],
  ])('hides nothing: %j', (statement, words) => expect(statementWords(statement)).toBe(words))

  it('is shown in full, however long it is', () => {
    const text = `${'a'.repeat(1000)}z${'b'.repeat(1000)}`
    expect(statementWords(['==', '.to', text])).toBe(`“to” is “${text}”`)
  })

  it('is in quotation marks, so that it doesn’t look like part of the sentence', () => {
    const told = (policy: unknown[]) =>
      delegationSentence({ issuer: ME, audience: THEM, subject: ME, command: '/file/read', policy })
    expect(told([['==', '.path', '/a, with no expiry date']])).toContain(
      '“path” is “/a, with no expiry date”',
    )
    expect(told([['like', '.path', '/a, with no expiry date/*']])).toContain(
      'starts with “/a, with no expiry date/”',
    )
  })

  it('is not a currency or payee just because it is in that place', () => {
    const odd = [
      ['==', '.currency', 'GBP, or anything'],
      ['<=', '.amount', 500],
      ['==', '.payee', 'you, and anyone'],
    ]
    expect(paymentWords(odd)).toEqual([
      '“currency” is “GBP, or anything”',
      '“amount” is at most 500',
      'it goes to “you, and anyone”',
    ])
  })

  it('is exact as a number however large it is', () => {
    const size = (2n ** 53n + 1n) * 10n ** 15n
    expect(statementWords(['<=', '.bytes', size])).toBe(`“bytes” is at most ${size.toLocaleString('en-GB')}`)
  })
})

describe('letsMissingThrough', () => {
  it('warns of a not over a field that may be missing', () => {
    expect(letsMissingThrough([['not', ['==', '.a', 1]]])).toBe(true)
    expect(letsMissingThrough([['and', [['not', ['like', '.a', 'x']]]]])).toBe(true)
    expect(
      letsMissingThrough([
        ['==', '.a', 1],
        ['<', '.b', 2],
      ]),
    ).toBe(false)
    // A missing key is null, which isn't 2.
    expect(letsMissingThrough([['!=', '.b', 2]])).toBe(true)
  })
})

describe('commandWords', () => {
  it.each(['/crud', '/crypto', '/file', '/http', '/msg', '/payment'])(
    'promises nothing about what %s leaves out: it covers every command below it',
    async (command) => {
      expect(commandWords(command)).toMatch(/\bany(?:thing)?\b/)
      await inGerman(() => expect(commandWords(command)).toMatch(/alles|beliebige/))
    },
  )

  it('does not say whose the keys are: anyone may have signed it', async () => {
    expect(commandWords('/crypto')).toBe('do anything with keys')
    await inGerman(() => expect(commandWords('/crypto')).toBe('alles mit Schlüsseln tun'))
  })
})

describe('delegationSentence', () => {
  it('says who lets whom do what, with which limits, until when', () => {
    const sentence = delegationSentence(
      {
        issuer: ME,
        audience: THEM,
        subject: ME,
        command: '/msg/send',
        policy: [['like', '.to', '*@example.com']],
        expiresAt: NOW,
      },
      { ...NOBODY, own: new Set([ME]) },
      NOW - 60 * 86_400_000,
    )
    expect(sentence).toMatch(
      /^You let Unknown key \(…THEM\) send messages, until 21 Nov 2026, \d\d:00, if “to” ends with “@example\.com”\. Other fields are not limited\.$/,
    )
  })

  it('uses the German word order in German', async () => {
    const capability = {
      issuer: ME,
      audience: THEM,
      subject: ME,
      command: '/file',
      policy: [
        ['like', '.path', '/photos/*'],
        ['<=', '.size', 10_000_000],
        ['==', '.urgent', true],
      ],
      expiresAt: NOW,
    }
    const contacts = { ...NOBODY, own: new Set([ME]) }
    expect(delegationSentence(capability, contacts, NOW - 2 * 86_400_000)).toMatch(
      /^You let Unknown key \(…THEM\) do anything with files, until Saturday \d\d:00, if “path” starts with “\/photos\/”, and “size” is at most 10,000,000, and “urgent” is true\. Other fields are not limited\.$/,
    )
    await inGerman(() => {
      expect(delegationSentence(capability, contacts, NOW - 2 * 86_400_000)).toMatch(
        /^Mit deiner Freigabe darf Schlüssel …THEM \(unbekannt\) alles mit Dateien tun, bis Samstag \d\d:00, aber nur, wenn Folgendes zutrifft: „path“ beginnt mit „\/photos\/“, und „size“ ist höchstens 10\.000\.000, und „urgent“ ist wahr\. Andere Felder sind nicht eingeschränkt\.$/,
      )
      expect(money(1234567, 'EUR')).toBe('12.345,67\u00a0€')
      expect(parseMoney('1.234,5', 'EUR')).toBe(123450n)
    })
  })

  it('names another subject, a start, no end and a powerline', () => {
    const base = { issuer: THEM, audience: ME, command: '/x', policy: [], notBefore: NOW }
    const contacts = { ...NOBODY, own: new Set([ME]) }
    expect(delegationSentence({ ...base, subject: null }, contacts)).toMatch(
      /^Unknown key \(…THEM\) lets you use “\/x” and everything under it, for anyone who grants it to Unknown key \(…THEM\), with no limits added, from .+, with no expiry date\. The limits of the grant that it comes from apply too\.$/,
    )
    expect(delegationSentence({ ...base, subject: ME }, contacts)).toContain(
      ' in your name, with no limits added, from ',
    )
    const myself = { ...base, issuer: ME, audience: ME, subject: ME }
    expect(delegationSentence(myself, contacts)).toContain('You let yourself use ')
  })
})

describe('payment words', () => {
  it('writes money according to the currency', () => {
    expect(money(2500, 'GBP')).toBe('£25.00')
    expect(money(2500, 'JPY')).toBe('JP¥2,500')
    expect(money(2500n, 'KWD')).toBe('KWD\u00a02.500')
    // Browsers would round these. What is shown must be what is signed.
    expect(money(25_000, 'IQD')).toBe('IQD\u00a025.000')
    expect(money(2500, 'AFN')).toBe('AFN\u00a025.00')
    // A record's own digits override today's list.
    expect(money(2500, 'GBP', 3)).toBe('£2.500')
    expect(money(2500, 'JPY', 2)).toBe('JP¥25.00')
    // Some browsers don't know it, or use other digits.
    expect(money(123_456, 'CLF')).toBe('CLF\u00a012.3456')
    expect(money(2500, 'XCG')).toBe(`${money(2500, 'XCG').slice(0, -5)}25.00`)
    expect(money(10n ** 20n, 'EUR')).toBe('€1,000,000,000,000,000,000.00')
  })

  it('is found in the ways in which people type it', async () => {
    expect(amountsToFind(100_000, 'GBP')).toBe('£1,000.00 £1000.00 1000,00 GBP')
    expect(amountsToFind(2500, 'JPY')).toBe('JP¥2,500 ¥2500 2500 JPY')
    expect(amountsToFind(5n, 'USD')).toBe('US$0.05 $0.05 0,05 USD')
    await inGerman(() => expect(amountsToFind(100_000, 'EUR')).toBe('1.000,00 € €1000.00 1000,00 EUR'))
  })

  it('makes every currency recognisable', async () => {
    const everyOne = () => {
      const written = [...CURRENCIES.keys()].map((currency) => money(10n ** 8n, currency))
      expect(new Set(written).size).toBe(written.length)
    }
    everyOne()
    await inGerman(everyOne)
  })

  it('reads typed money, and refuses what the currency can’t represent', () => {
    expect(parseMoney('25', 'GBP')).toBe(2500n)
    expect(parseMoney('1,000.5', 'EUR')).toBe(100050n)
    expect(parseMoney('12', 'JPY')).toBe(12n)
    for (const wrong of ['', 'ten', '1.234', '1,00', '-5', '1e3'])
      expect(parseMoney(wrong, 'GBP')).toBeUndefined()
    expect(parseMoney('1.5', 'JPY')).toBeUndefined()
  })

  it('puts a spending policy into words', () => {
    expect(
      paymentWords([
        ['<=', '.amount', 5000],
        ['==', '.currency', 'GBP'],
        ['==', '.payee', 'Corner Shop'],
      ]),
    ).toEqual(['the amount is at most £50.00', 'it is paid in GBP', 'it goes to “Corner Shop”'])
    expect(
      paymentWords([
        ['>', '.amount', 0],
        ['<=', '.amount', 5000],
        ['==', '.currency', 'GBP'],
      ]),
    ).toEqual(['the amount is above zero and at most £50.00', 'it is paid in GBP'])
    expect(paymentWords([['<=', '.amount', 5000]])).toEqual(['“amount” is at most 5000'])
    const shops = [
      'did:web:shop.example',
      'did:web:localhost%3A4610',
      'did:web:a.very.long.host.of.a.shop.example',
    ]
    expect(paymentWords([['or', shops.map((shop) => ['==', '.payee', shop])]])).toEqual([
      'it goes to one of these 3: 1) shop.example; 2) localhost:4610; 3) a.very.long.host.of.a.shop.example; end of the list',
    ])
    const odd = [
      'or',
      [
        ['==', '.payee', 'did:web:shop.example'],
        ['>', '.amount', 5],
      ],
    ]
    expect(paymentWords([odd])).toEqual([
      'at least one of these 2: 1) it goes to shop.example; 2) “amount” is more than 5; end of the list',
    ])
  })
})

describe('commands', () => {
  it('are covered by segments, never by letters', () => {
    expect(covers('/crypto', '/crypto/sign')).toBe(true)
    expect(covers('/crypto', '/cryptocurrency')).toBe(false)
    expect(covers('/', '/anything')).toBe(true)
    expect(covers('/crypto/sign', '/crypto')).toBe(false)
  })
  it('are checked as they are typed', () => {
    for (const good of ['/', '/a', '/msg/send']) expect(commandProblem(good)).toBeUndefined()
    for (const bad of ['', 'a', '/a/', '//', '/A', '/a b']) expect(commandProblem(bad)).toBeTypeOf('string')
  })
  it('are quoted if unknown', () => expect(commandWords('/odd/one')).toContain('“/odd/one”'))
})

describe('recognise', () => {
  it.each([
    [ME, 'did'],
    [`bafy${'a'.repeat(55)}`, 'cid'],
    [`kh1${'q'.repeat(38)}`, 'address'],
    [`C${'ab-_'.repeat(60)}`, 'token'],
    [`  C${'ab-_'.repeat(40)}\n${'ab-_'.repeat(20)} `, 'token'],
    ['keyhole-request-1.e30', 'request'],
    [' https://vault.example/connect#keyhole-request-1.e3\n0 ', 'request'],
    ['keyhole-request-1.', 'words'],
    ['rent', 'words'],
    ['', 'words'],
  ])('%s', (text, kind) => expect(recognise(text).kind).toBe(kind))

  it('says what is wrong with a DID', () => {
    expect(didProblem(ME)).toBeUndefined()
    expect(didProblem('did:web:example.com')).toBeUndefined()
    for (const bad of ['', 'bob', 'did:key:z6Mk', 'did:key:z6Mk…abc', `${ME} and more`]) {
      expect(didProblem(bad)).toBeTypeOf('string')
    }
  })
})

describe('time', () => {
  it('says how far away', () => {
    expect(distance(NOW + 3 * 3_600_000, NOW)).toBe('in 3 hours')
    expect(distance(NOW - 5 * 86_400_000, NOW)).toBe('5 days ago')
    expect(distance(NOW + 10_000, NOW)).toBe('in less than a minute')
    expect(distance(NOW + 24 * 3_600_000 - 9_000, NOW)).toBe('in 24 hours')
    expect(distance(NOW + 3_600_000 - 1, NOW)).toBe('in 1 hour')
    expect(distance(NOW + 24 * 3_600_000 - 60_000, NOW)).toBe('in 24 hours')
    expect(distance(NOW + 23.4 * 3_600_000, NOW)).toBe('in 23 hours')
    expect(distance(NOW + 7 * 86_400_000 - 60_000, NOW)).toBe('in 7 days')
    expect(distance(NOW + 365 * 86_400_000 - 60_000, NOW)).toBe('in 12 months')
    expect(distance(NOW - 47 * 3_600_000 - 3_000_000, NOW)).toBe('47 hours ago')
    expect(endWords(undefined, NOW)).toBe('never expires')
  })
  it('describes a time window', () => {
    expect(standing({ expiresAt: NOW - 1 }, NOW)).toBe('ended')
    expect(standing({ expiresAt: NOW + 1e9, notBefore: NOW + 1 }, NOW)).toBe('early')
    expect(standing({ expiresAt: NOW + 3_600_000 }, NOW)).toBe('soon')
    expect(standing({ expiresAt: NOW + 3_600_000, createdAt: NOW - 1 }, NOW)).toBe('live')
    expect(standing({ expiresAt: NOW + 30 * 86_400_000 }, NOW)).toBe('live')
    expect(standing({}, NOW)).toBe('none')
  })
  it('does not fail on a time beyond the calendar', () => {
    expect(distance(Number.MAX_SAFE_INTEGER, NOW)).toContain('in ')
  })
  it.each([-1.9e12 * 120, -62_135_596_800_001, Date.UTC(999, 11, 31), -8.64e15, -(2 ** 53 - 1) * 1_000])(
    'does not show what began long ago as a time to come: %d',
    (notBefore) => {
      const long = { issuer: ME, audience: THEM, subject: ME, command: '/msg', policy: [] }
      expect(delegationSentence({ ...long, notBefore }, NOBODY, NOW)).toContain(
        'from a time before the year 1000, with no expiry date',
      )
    },
  )
})

describe('shorten', () => {
  it('keeps both ends and the method', () => expect(shorten(THEM)).toBe('did:key:z6Mkth…emTHEM'))
  it('leaves short texts alone', () => expect(shorten('did:web:a.org')).toBe('did:web:a.org'))
})

describe('a budget that isn’t in the token', () => {
  const request = {
    ...{ issuer: ME, audience: THEM, subject: ME, command: '/payment/request', policy: [] },
    expiresAt: NOW,
  }
  const own = new Set([ME])
  it('shows after unlocking, if the reader’s vault counts it', () => {
    expect(tellGrant(request, { ...NOBODY, own, isSealed: true }, NOW).notes[0]).toContain('Unlock the vault')
    expect(tellGrant(request, { ...NOBODY, own }, NOW).notes[0]).toContain('The token does not say how much.')
  })

  it('stays unknown, if the giver’s vault counts it', () => {
    const [note] = tellGrant(request, { ...NOBODY, isSealed: true }, NOW).notes
    expect(note).toContain('The token does not say how much.')
  })
})
