import { describe, expect, it } from 'vitest'
import { inGerman } from '../../test/german.ts'
import { NOBODY } from '../words/who.ts'
import { policyEffect } from './effect.ts'
import { type Limit, letsMissingThrough, policyLimits } from './limits.ts'
import { type Capability, delegationSentence, tellGrant } from './sentence.ts'

const ME = 'did:key:z6MkmeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeMeME'
const THEM = 'did:key:z6MkthemThemThemThemThemThemThemThemThemThemTHEM'
const YOU = { ...NOBODY, own: new Set([ME]) }

const capability = (command: string, policy: readonly unknown[]): Capability => ({
  ...{ issuer: ME, audience: THEM, subject: ME, command, policy },
})
const say = (command: string, policy: readonly unknown[]) =>
  delegationSentence(capability(command, policy), YOU, 0)

/** A tree as a person sees it: each line indented by its depth. */
function tree(limits: readonly Limit[], depth = 0): string[] {
  return limits.flatMap(({ text, of = [], note }) => [
    '  '.repeat(depth) + text,
    ...tree(of, depth + 1),
    ...(note === undefined ? [] : [`${'  '.repeat(depth + 1)}! ${note}`]),
  ])
}
const seen = (command: string, policy: readonly unknown[]) => tree(policyLimits(command, policy).limits)

const SPEND = '/payment/authorize'
const SEND = '/msg/send'

interface Case {
  readonly name: string
  readonly command: string
  readonly policy: readonly unknown[]
  readonly tree: readonly string[]
  readonly en: string
  readonly de: string
}

const TO = 'You let Unknown key (…THEM)'
const AN = 'Mit deiner Freigabe darf Schlüssel …THEM (unbekannt)'

const EVIL = [
  'or',
  [
    ['not', ['>', '.amount', 5000]],
    ['==', '.payee', 'did:web:evil.example'],
  ],
]
const CASES: readonly Case[] = [
  {
    name: 'an alternative to a limit does not read as a prohibition',
    command: SPEND,
    policy: [EVIL],
    tree: [
      'at least one of these 2:',
      '  this must not be true:',
      '    “amount” is more than 5000',
      '    ! If “amount” is left out or isn’t a number, this does not limit anything.',
      '  it goes to evil.example',
    ],
    en: `${TO} authorise payments, with no expiry date, if this condition is met: at least one of these 2: 1) this must not be true: “amount” is more than 5000 (If “amount” is left out or isn’t a number, this does not limit anything.); 2) it goes to evil.example; end of the list. It may go to any shop. The amount is not limited. The currency is not limited.`,
    de: `${AN} Zahlungen autorisieren, unbefristet, aber nur, wenn diese Bedingung erfüllt ist: mindestens eine dieser 2 Bedingungen: 1) das darf nicht zutreffen: „amount“ ist größer als 5000 (Fehlt „amount“ oder ist es keine Zahl, schränkt das nichts ein.); 2) der Zahlungsempfänger ist evil.example; Ende der Liste. Jeder Shop darf bezahlt werden. Der Betrag ist nicht begrenzt. Die Währung ist nicht festgelegt.`,
  },
  {
    name: 'an alternative to the addresses is one',
    command: SEND,
    policy: [
      [
        'or',
        [
          ['all', '.to', ['like', '.', '*@corp.example']],
          ['like', '.subject', '*'],
        ],
      ],
    ],
    tree: [
      'at least one of these 2:',
      '  every item in “to”:',
      '    the item ends with “@corp.example”',
      '  “subject” is any text',
    ],
    en: `${TO} send messages, with no expiry date, if this condition is met: at least one of these 2: 1) every item in “to”: the item ends with “@corp.example”; 2) “subject” is any text; end of the list. Other fields are not limited.`,
    de: `${AN} Nachrichten senden, unbefristet, aber nur, wenn diese Bedingung erfüllt ist: mindestens eine dieser 2 Bedingungen: 1) jeder Eintrag in „to“: der Eintrag endet auf „@corp.example“; 2) „subject“ ist ein beliebiger Text; Ende der Liste. Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'one recipient promises nothing about other fields',
    command: SEND,
    policy: [['==', '.to', 'bob@example.com']],
    tree: ['“to” is “bob@example.com”'],
    en: `${TO} send messages, with no expiry date, if “to” is “bob@example.com”. Other fields are not limited.`,
    de: `${AN} Nachrichten senden, unbefristet, aber nur, wenn Folgendes zutrifft: „to“ ist „bob@example.com“. Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'a number has no unit that its field’s name suggests',
    command: '/file/write',
    policy: [
      ['<=', '.size', 1_000_000],
      ['<', '.exp', 1_800_000_000],
      ['<=', '.price', 500],
    ],
    tree: ['“size” is at most 1,000,000', '“exp” is less than 1,800,000,000', '“price” is at most 500'],
    en: `${TO} write files, with no expiry date, if “size” is at most 1,000,000, and “exp” is less than 1,800,000,000, and “price” is at most 500. Other fields are not limited.`,
    de: `${AN} Dateien schreiben, unbefristet, aber nur, wenn Folgendes zutrifft: „size“ ist höchstens 1.000.000, und „exp“ ist kleiner als 1.800.000.000, und „price“ ist höchstens 500. Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'a code for one call promises one call only where a gate made it',
    command: '/http/post',
    policy: [['==', '.once', '18.AB.cd']],
    tree: [
      '“once” is “18.AB.cd” (the gate that made this code allows one call; anywhere else it limits nothing)',
    ],
    en: `${TO} send data to web services, with no expiry date, if “once” is “18.AB.cd” (the gate that made this code allows one call; anywhere else it limits nothing). Other fields are not limited.`,
    de: `${AN} Daten an Webdienste senden, unbefristet, aber nur, wenn Folgendes zutrifft: „once“ ist „18.AB.cd“ (das Gate, das diesen Code erzeugt hat, erlaubt damit einen Aufruf; sonst schränkt das nichts ein). Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'a tool, its server and its arguments are called that',
    command: '/mcp/tools/call',
    policy: [
      ['==', '.server', 'files'],
      ['==', '.name', 'read_text_file'],
      ['like', '.arguments.path', '/home/me/notes/*'],
    ],
    tree: [
      'the server is “files”',
      'the tool is “read_text_file”',
      'the argument “path” starts with “/home/me/notes/”',
    ],
    en: `${TO} call tools of MCP servers, with no expiry date, if the server is “files”, and the tool is “read_text_file”, and the argument “path” starts with “/home/me/notes/”. Other fields are not limited.`,
    de: `${AN} Werkzeuge von MCP-Servern aufrufen, unbefristet, aber nur, wenn Folgendes zutrifft: der Server ist „files“, und das Werkzeug ist „read_text_file“, und das Argument „path“ beginnt mit „/home/me/notes/“. Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'several tools and servers are called that, and an argument keeps its name in a warning and in a list',
    command: '/mcp/tools/call',
    policy: [
      [
        'or',
        [
          ['==', '.server', 'files'],
          ['==', '.server', 'notes'],
        ],
      ],
      [
        'or',
        [
          ['==', '.name', 'read'],
          ['==', '.name', 'list'],
        ],
      ],
      ['not', ['like', '.arguments.path', '*/secret/*']],
      [
        'or',
        [
          ['==', '.arguments.depth', 1],
          ['==', '.arguments.depth', 2],
        ],
      ],
      ['all', '.arguments.tags', ['==', '.', 'public']],
    ],
    tree: [
      'the server is one of these 2:',
      '  “files”',
      '  “notes”',
      'the tool is one of these 2:',
      '  “read”',
      '  “list”',
      'this must not be true:',
      '  the argument “path” contains “/secret/”',
      '  ! If the argument “path” is left out or isn’t text, this does not limit anything.',
      'the argument “depth” is one of these 2:',
      '  1',
      '  2',
      'each item in the argument “tags”:',
      '  the item is “public”',
    ],
    en: `${TO} call tools of MCP servers, with no expiry date, if all 5 conditions are met: 1) the server is one of these 2: 1.1) “files”; 1.2) “notes”; end of the list; 2) the tool is one of these 2: 2.1) “read”; 2.2) “list”; end of the list; 3) this must not be true: the argument “path” contains “/secret/” (If the argument “path” is left out or isn’t text, this does not limit anything.); 4) the argument “depth” is one of these 2: 4.1) 1; 4.2) 2; end of the list; 5) each item in the argument “tags”: the item is “public”. Other fields are not limited.`,
    de: `${AN} Werkzeuge von MCP-Servern aufrufen, unbefristet, aber nur, wenn alle 5 Bedingungen erfüllt sind: 1) der Server ist einer dieser 2: 1.1) „files“; 1.2) „notes“; Ende der Liste; 2) das Werkzeug ist eines dieser 2: 2.1) „read“; 2.2) „list“; Ende der Liste; 3) das darf nicht zutreffen: das Argument „path“ enthält „/secret/“ (Fehlt das Argument „path“ oder ist es kein Text, schränkt das nichts ein.); 4) das Argument „depth“ ist eines dieser 2: 4.1) 1; 4.2) 2; Ende der Liste; 5) jeder Eintrag im Argument „tags“: der Eintrag ist „public“. Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'whatever else a tool’s limit is about reads as its field',
    command: '/mcp/tools/call',
    policy: [
      ['!=', '.server', 'files'],
      ['==', '.name', 7],
      ['==', '.arguments["the path"]', true],
    ],
    tree: [
      '“server” is not “files”',
      '  ! If “server” is left out, this does not limit anything.',
      '“name” is 7',
      '“arguments["the path"]” is true',
    ],
    en: `${TO} call tools of MCP servers, with no expiry date, if all 3 conditions are met: 1) “server” is not “files” (If “server” is left out, this does not limit anything.); 2) “name” is 7; 3) “arguments["the path"]” is true. Other fields are not limited.`,
    de: `${AN} Werkzeuge von MCP-Servern aufrufen, unbefristet, aber nur, wenn alle 3 Bedingungen erfüllt sind: 1) „server“ ist nicht „files“ (Fehlt „server“, schränkt das nichts ein.); 2) „name“ ist 7; 3) „arguments["the path"]“ ist wahr. Andere Felder sind nicht eingeschränkt.`,
  },
  {
    name: 'a field of that name is nothing special elsewhere',
    command: SEND,
    policy: [['==', '.once', '18.AB.cd']],
    tree: ['“once” is “18.AB.cd”'],
    en: `${TO} send messages, with no expiry date, if “once” is “18.AB.cd”. Other fields are not limited.`,
    de: `${AN} Nachrichten senden, unbefristet, aber nur, wenn Folgendes zutrifft: „once“ ist „18.AB.cd“. Andere Felder sind nicht eingeschränkt.`,
  },
]

const NOTHING: readonly (readonly unknown[])[] = [
  ['and', []],
  ['or', []],
  ['not', ['not', ['and', []]]],
  [
    'or',
    [
      ['and', []],
      ['==', '.to', 'bob'],
    ],
  ],
  [
    'or',
    [
      ['==', '.to', 'bob'],
      ['not', ['==', '.to', 'bob']],
    ],
  ],
  [
    'or',
    [
      ['==', '.to', 'bob'],
      ['!=', '.to', 'bob'],
    ],
  ],
  ['all', '.', ['or', []]],
  ['!=', '.', 'bob'],
]

describe('what a grant’s limits say', () => {
  it.each(CASES)('$name', async ({ command, policy, tree, en, de }) => {
    expect(seen(command, policy)).toEqual(tree)
    expect(say(command, policy)).toBe(en)
    await inGerman(() => expect(say(command, policy)).toBe(de))
  })

  it.each(NOTHING.map((statement) => [JSON.stringify(statement), statement] as const))(
    '%s limits nothing, and the text says so',
    async (json, statement) => {
      const shown = json.replaceAll(',', ', ')
      expect(say(SEND, [statement])).toBe(
        `${TO} send messages, with no limits, with no expiry date. ${shown}: this does not limit anything.`,
      )
      expect(say(SEND, [statement, ['==', '.to', 'bob']])).toContain(
        `${shown}: this does not limit anything.`,
      )
      await inGerman(() =>
        expect(say(SEND, [statement])).toBe(
          `${AN} Nachrichten senden, ohne Grenzen, unbefristet. ${shown}: Das schränkt nichts ein.`,
        ),
      )
    },
  )

  it('says when no call can match', () => {
    expect(
      say(SEND, [
        ['==', '.to', 'a'],
        ['not', ['==', '.to', 'a']],
      ]),
    ).toBe(`${TO} send messages, with no expiry date, but no call can meet its limits.`)
    expect(say(SEND, [['like', '.', '*']])).toContain('no call can meet its limits')
  })

  it('shows a did:web in full, wherever it appears', async () => {
    const did = 'did:web:mybank.evil.example:login:mybank.com'
    const told = delegationSentence(
      {
        ...capability(SPEND, [
          ['==', '.payee', did],
          ['==', '.currency', 'GBP'],
          ['<=', '.amount', 1],
        ]),
        audience: did,
      },
      YOU,
      0,
    )
    expect(told).toBe(
      `You let ${did} authorise payments, with no expiry date, if it goes to ${did}, and it is paid in GBP, and the amount is at most £0.01.`,
    )
    await inGerman(() => {
      expect(delegationSentence({ ...capability(SEND, []), audience: did }, YOU, 0)).toBe(
        `Mit deiner Freigabe darf ${did} Nachrichten senden, ohne Grenzen, unbefristet.`,
      )
    })
  })

  it('shows all of 251 alternatives', () => {
    const people = Array.from({ length: 251 }, (_, at) => `person-${at}@example.com`)
    const policy = [['or', people.map((person) => ['==', '.to', person])]]
    const { limits } = tellGrant(capability(SEND, policy), YOU, 0)
    expect(tree(limits)).toEqual(['“to” is one of these 251:', ...people.map((person) => `  “${person}”`)])
    for (const person of people) expect(say(SEND, policy)).toContain(`“${person}”`)
    const sites = people.map((_, at) => `shop-${at}.example`)
    const paid = [['or', sites.map((site) => ['==', '.payee', `did:web:${site}`])]]
    expect(seen(SPEND, paid)).toEqual(['it goes to one of these 251:', ...sites.map((site) => `  ${site}`)])
  })

  it.each<[string, string, readonly unknown[], readonly string[]]>([
    ['nothing above it', SPEND, [['>', '.amount', -5]], ['The amount is not limited.']],
    [
      'one branch alone',
      SPEND,
      [
        [
          'or',
          [
            ['<=', '.amount', 5],
            ['>', '.amount', 5],
          ],
        ],
      ],
      ['The amount is not limited.'],
    ],
    [
      'every branch',
      SPEND,
      [
        [
          'or',
          [
            ['<=', '.amount', 5],
            ['==', '.amount', 9],
          ],
        ],
      ],
      [],
    ],
    ['what is in it', SPEND, [['<=', '.amount[0]', 5]], ['The amount is not limited.']],
    ['a not of more', SPEND, [['not', ['>', '.amount', 5]]], []],
  ])('says that the amount is open if it is: %s', (_name, command, policy, notes) => {
    const all = policyLimits(command, [...policy, ['==', '.payee', 'x'], ['==', '.currency', 'GBP']]).notes
    expect(all).toEqual(notes)
  })

  it.each<[string, readonly unknown[], string]>([
    ['none is looked at', ['<=', '.amount', 5], 'It may go to any shop: no payee is named.'],
    ['any text', ['like', '.payee', '**'], 'It may go to any shop.'],
    ['any website', ['like', '.payee', 'did:web:*'], 'It may go to any shop.'],
    ['any website with a dot', ['like', '.payee', 'did:web:*.*'], 'It may go to any shop.'],
    ['any that has a letter', ['like', '.payee', '*w*'], 'It may go to any shop.'],
    ['any of a top-level domain', ['like', '.payee', '*.example'], 'It may go to any shop.'],
    ['any that starts like one', ['like', '.payee', 'did:web:shop.example*'], 'It may go to any shop.'],
    ['any that ends like one', ['like', '.payee', 'did:web:*shop.example'], 'It may go to any shop.'],
    ['a path of anyone’s site', ['like', '.payee', 'did:web:*.shop.example'], 'It may go to any shop.'],
    ['any of a domain that sells names', ['like', '.payee', 'did:web:*.co.uk'], 'It may go to any shop.'],
    ['any customer of a host', ['like', '.payee', 'did:web:*.github.io'], 'It may go to any shop.'],
    ['a star in the host', ['like', '.payee', 'did:web:a.*.example:pay'], 'It may go to any shop.'],
    ['a star before the scheme', ['like', '.payee', '*did:web:shop.example:pay'], 'It may go to any shop.'],
    ['a star in the port', ['like', '.payee', 'did:web:shop.example%3A8*:pay'], 'It may go to any shop.'],
    ['all but one', ['!=', '.payee', 'did:web:a.example'], 'It may go to any shop.'],
    [
      'one, or any below a sum',
      [
        'or',
        [
          ['==', '.payee', 'did:web:a.example'],
          ['<', '.amount', 9],
        ],
      ],
      'It may go to any shop.',
    ],
  ])('says that any shop may be paid if that is so: %s', (_name, statement, note) => {
    expect(policyLimits(SPEND, [statement]).notes).toContain(note)
  })

  it('does not mention any shop if each branch names one', () => {
    const named = [
      'or',
      [
        ['==', '.payee', 'did:web:a.example'],
        ['like', '.payee', 'did:web:b.example:*'],
        ['like', '.payee', 'did:web:b.example%3A8443:*:pay'],
      ],
    ]
    expect(policyLimits(SPEND, [named]).notes.join(' ')).not.toContain('shop')
  })

  it('does not take a condition on the whole request for one on each field', () => {
    expect(policyLimits(SEND, [['!=', '.', {}]]).notes).toEqual(['Other fields are not limited.'])
    expect(policyLimits(SEND, [['==', '.', {}]]).notes).toEqual([])
    expect(policyEffect(SEND, [['!=', '.', {}]]).open).toEqual(['Everything else in the request.'])
  })

  it.each([
    ['each item is not something', ['all', '.[]', ['!=', '.', 'x']]],
    ['each item of the whole is not something', ['all', '.', ['not', ['==', '.', 'x']]]],
    [
      'each item is one of two',
      [
        'all',
        '.[]',
        [
          'or',
          [
            ['!=', '.', 'x'],
            ['==', '.', 'y'],
          ],
        ],
      ],
    ],
    ['each item is any text', ['all', '.[]', ['like', '.', '*e*']]],
    ['each item lacks a field, as a text does', ['all', '.', ['==', '.x?', null]]],
    ['each item has one field', ['all', '.[]', ['==', '.x', 1]]],
  ])(
    'does not take a condition on every item for a choice of the shop, the amount and the currency: %s',
    (_name, statement) => {
      expect(policyLimits(SPEND, [statement]).notes).toEqual([
        'It may go to any shop: no payee is named.',
        'The amount is not limited.',
        'The currency is not limited.',
      ])
      expect(policyEffect(SPEND, [statement]).open).toEqual([
        'It may go to any shop: no payee is named.',
        'The amount is not limited.',
        'The currency is not limited.',
        'The order is not limited.',
      ])
      expect(policyLimits(SEND, [statement]).notes).toEqual(['Other fields are not limited.'])
      expect(policyEffect(SEND, [statement]).open).toEqual(['Everything else in the request.'])
    },
  )

  it('says nothing about one call where a code is ruled out', () => {
    expect(seen('/http/post', [['not', ['==', '.once', '18.AB.cd']]])).toContain('“once” is not “18.AB.cd”')
  })

  it('takes an equal map for a choice of every field', () => {
    const paid = [['==', '.', { payee: 'did:web:a.example', amount: 5, currency: 'GBP' }]]
    expect(policyLimits(SPEND, paid).notes).toEqual([])
    expect(policyEffect(SPEND, paid).open).toEqual(['Nothing: a condition looks at the request as a whole.'])
  })

  it('says once what isn’t limited', () => {
    const idle = ['and', []]
    const effect = (command: string, policy: readonly unknown[]) => {
      const { notes, open } = policyEffect(command, policy)
      return { notes, open }
    }
    expect(effect(SEND, [['==', '.to', 'bob@example.com'], idle])).toEqual({
      notes: ['["and", []]: this does not limit anything.'],
      open: ['Everything except “to”.'],
    })
    expect(effect(SEND, []).open).toEqual(['Everything in the request: no condition looks at it.'])
    // A least amount is no limit to it, so it isn't left out of what is open.
    const shop = [
      ['==', '.payee', 'did:web:a.example'],
      ['>=', '.amount', 5],
    ]
    expect(effect(SPEND, shop)).toEqual({
      notes: [],
      open: ['The amount is not limited.', 'The currency is not limited.', 'The order is not limited.'],
    })
    const paid = [
      ['==', '.payee', 'did:web:a.example'],
      ['<=', '.amount', 5],
      ['==', '.currency', 'GBP'],
    ]
    expect(effect(SPEND, paid).open).toEqual(['The order is not limited.'])
    expect(effect(SPEND, [...paid, ['==', '.order', '7']]).open).toEqual([
      'Nothing: a condition names each field.',
    ])
  })

  it('leaves nothing open where no call can meet the limits', () => {
    const never = [
      ['==', '.to', 'a'],
      ['not', ['and', []]],
    ]
    expect(policyEffect(SEND, never)).toMatchObject({
      allowed: 'Nothing: no call can meet the limits.',
      refused: 'Any request.',
      open: [],
    })
  })

  it('shows a not as a heading, and warns if its field may be missing', () => {
    const policy = [
      [
        'not',
        [
          'and',
          [
            ['==', '.a.b', 1],
            ['like', '.c', 'x*'],
          ],
        ],
      ],
    ]
    expect(seen(SEND, policy)).toEqual([
      'at least one of these 2:',
      '  this must not be true:',
      '    “a.b” is 1',
      '    ! If “a.b” is left out, this does not limit anything.',
      '  this must not be true:',
      '    “c” starts with “x”',
      '    ! If “c” is left out or isn’t text, this does not limit anything.',
    ])
    expect(letsMissingThrough(policy)).toBe(true)
    expect(letsMissingThrough([['not', ['not', ['==', '.a', 1]]]])).toBe(false)
  })

  it('warns of what is missing in an item too, where that gets past a not', () => {
    const outer = '    ! If “list” is left out or isn’t a list, this does not limit anything.'
    const items = (of: unknown, kind = 'any') => seen(SEND, [['not', [kind, '.list', of]]])
    expect(items(['<', '.size', 5])).toEqual([
      'this must not be true:',
      '  at least one item in “list”:',
      '    the item’s “size” is less than 5',
      '      ! If the item’s “size” is left out or isn’t a number, this does not limit anything.',
      outer.slice(2),
    ])
    expect(items(['like', '.', '*.exe'])).toContain(
      '      ! If the item is left out or isn’t text, this does not limit anything.',
    )
    expect(items(['any', '.tags', ['==', '.', 'x']], 'all')).toContain(
      '      ! If the item’s “tags” is left out or isn’t a list, this does not limit anything.',
    )
    // Turned twice: what is missing doesn't get past it.
    expect(items(['not', ['like', '.name', 'a*']], 'all').filter((line) => line.includes('!'))).toHaveLength(
      1,
    )
    expect(seen(SEND, [['any', '.list', ['not', ['<', '.', 5]]]])).toContain(
      '    ! If the item is left out or isn’t a number, this does not limit anything.',
    )
  })

  it('warns of an item that is no map, where that gets past a not', () => {
    const notes = (...statements: unknown[]) => seen(SEND, statements).filter((line) => line.includes('!'))
    const notIn = (field: string) => `! If ${field} isn’t in a map, this does not limit anything.`
    const items = (of: unknown, kind = 'any') =>
      notes(['not', [kind, '.list', of]]).map((line) => line.trim())
    const list = '! If “list” is left out or isn’t a list, this does not limit anything.'
    const owner = 'the item’s “owner”'
    expect(items(['!=', '.owner', 'me'])).toEqual([notIn(owner), list])
    expect(items(['==', '.owner', null], 'all')).toEqual([notIn(owner), list])
    expect(items(['!=', '.[0]', 'me'])).toEqual([
      '! If the item’s “[0]” is left out, this does not limit anything.',
      list,
    ])
    // An item always leads to itself.
    expect(items(['!=', '.', 'me'])).toEqual([list])
    // Directly below a not.
    expect(notes(['not', ['!=', '.a.b', 1]]).map((line) => line.trim())).toEqual([notIn('“a.b”')])
    // Turned twice: a field that is left out is unequal, and one that isn't in a map is refused.
    expect(items(['not', ['!=', '.owner', 'me']])).toEqual([
      '! If the item’s “owner” is left out, this does not limit anything.',
      list,
    ])
    expect(items(['not', ['==', '.owner', 'me']])).toEqual([list])
  })

  it('says that limits of earlier links are not included when only one link is shown', () => {
    const passedOn = { ...capability(SEND, []), issuer: THEM, subject: ME, audience: ME }
    expect(delegationSentence(passedOn, YOU, 0)).toContain('with no limits added')
    expect(delegationSentence({ ...passedOn, isEffective: true }, YOU, 0)).toContain('with no limits,')
  })

  it('describes a mandate with its budget', async () => {
    const mandate: Capability = {
      ...capability('/payment/request', [
        ['>', '.amount', 0],
        ['<=', '.amount', 2500],
        ['==', '.currency', 'GBP'],
      ]),
      spending: { budget: { period: 'week', amount: 10_000, payments: 4 }, currency: 'GBP' },
    }
    expect(delegationSentence(mandate, YOU, 0)).toBe(
      `Budget: at most £100.00 a week and 4 payments a week. This vault keeps count. ${TO} ask your vault to pay, with no expiry date, if the amount is above zero and at most £25.00, and it is paid in GBP. It may go to any shop: no payee is named.`,
    )
    await inGerman(() =>
      expect(delegationSentence(mandate, YOU, 0)).toMatch(
        /^Budget: höchstens 100,00\u00a0£ pro Woche und 4 Zahlungen pro Woche\. Dieser Tresor zählt mit\. .* Jeder Shop darf bezahlt werden: Es ist kein Zahlungsempfänger genannt\.$/,
      ),
    )
    expect(delegationSentence({ ...mandate, spending: undefined }, YOU, 0)).toContain(
      'A budget that your vault keeps count of also limits it.',
    )
    // To itself: the same sentence whether or not its budget can be read.
    const toItself = { ...mandate, audience: ME, subject: ME, isToItself: true }
    const spending = { budget: { period: 'week', amount: 10_000 }, currency: 'GBP', isOwn: true } as const
    const sealed = { ...YOU, isSealed: true }
    const [, sentence = ''] = delegationSentence({ ...toItself, spending }, YOU, 0).split('keeps count. ')
    const [start] = sentence.split('.')
    expect(start).toContain('This vault authorises payments automatically')
    expect(delegationSentence({ ...toItself, spending: undefined }, sealed, 0)).toContain(`${start}.`)
    expect(delegationSentence({ ...toItself, spending: undefined }, YOU, 0)).toContain('You let yourself')
    // Held, not given: another vault counts.
    const held = { ...mandate, issuer: THEM, subject: THEM, audience: ME }
    expect(delegationSentence({ ...held, spending: undefined }, YOU, 0)).toMatch(
      /lets you ask for payments that the giver’s vault counts and signs, .*A budget that the giver’s vault keeps count of also limits it/,
    )
  })
})
