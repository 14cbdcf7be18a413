// Inputs that cause as much work as possible, each described by its shape and a few numbers, so that a search can vary the numbers. The
// same numbers always give the same input.
import { alice, nist } from '../vectors/generate/keys.mjs'
import { NOW } from '../vectors/generate/token.mjs'
import { TEXTS } from './costs/texts.mjs'
import {
  asked,
  delegation,
  invocation,
  KEYS,
  LINK,
  letters,
  list,
  MOST_TOKEN,
  text,
  underPolicy,
  webDid,
} from './costs/tokens.mjs'

/** @typedef {import('./costs/tokens.mjs').Asked} Asked */
/** @typedef {import('./costs/tokens.mjs').Genes} Genes */
/** @typedef {import('./costs/tokens.mjs').Shape} Shape */

/** @type {Record<string, Shape>} */
const TOKENS = {
  globs: {
    genes: {
      parts: [1, 60_000],
      gap: [0, 12],
      strings: [1, 5_000],
      length: [1, 400],
      statements: [1, 6],
      links: [1, 6],
      fails: [0, 1],
    },
    costly: { parts: 60_000, gap: 0, strings: 4_469, length: 3, statements: 1, links: 1, fails: 0 },
    make: ({ parts, gap, strings, length, statements, links, fails }) => {
      const glob = `*${`${'a'.repeat(gap)}*`.repeat(Math.min(parts, 400_000 / (gap + 1)))}`
      const like = fails ? ['not', ['like', '.', `${glob}b`]] : ['like', '.', glob]
      const of = list(strings, (at) => 'a'.repeat(length) + (at % 7))
      return underPolicy(
        list(statements, () => ['all', '.of', like]),
        { of },
        links,
      )
    },
  },
  selectors: {
    genes: { selectors: [1, 2_000], length: [1, 2_000], depth: [1, 60], links: [1, 8] },
    costly: { selectors: 970, length: 1_000, depth: 1, links: 6 },
    make: ({ selectors, length, depth, links }) => {
      const path = `.${list(depth, (at) => `["${letters(`${at}`, length)}"]`).join('')}`
      const fitting = Math.max(1, Math.min(selectors, MOST_TOKEN / (depth * (length + 4))))
      const pol = list(fitting, (at) => ['!=', `${path}${at % 2 ? '' : '?'}`, null])
      /** @type {unknown} */
      let args = {}
      for (let at = depth - 1; at >= 0; at -= 1) args = { [letters(`${at}`, length)]: args }
      return underPolicy(pol, args, links)
    },
  },
  equality: {
    genes: { statements: [1, 500], items: [1, 20_000], length: [0, 60], links: [1, 8] },
    make: ({ statements, items, length, links }) => {
      const fitting = Math.max(1, Math.min(items, MOST_TOKEN / (statements * (length + 2))))
      const value = list(fitting, (at) => letters(`${at % 9}`, length))
      return underPolicy(
        list(statements, () => ['==', '.of', value]),
        { of: value },
        links,
      )
    },
  },
  quantifiers: {
    genes: { outer: [1, 2_000], inner: [1, 2_000], statements: [1, 300], depth: [1, 14], links: [1, 6] },
    make: ({ outer, inner, statements, depth, links }) => {
      /** @type {unknown} */
      let statement = ['all', '.', ['and', list(statements, () => ['!=', '.', 1])]]
      for (let at = 0; at < depth; at += 1) statement = ['not', ['any', '.[0:]', ['not', statement]]]
      return underPolicy([['all', '.of', statement]], { of: list(outer, () => list(inner, () => 0)) }, links)
    },
  },
  connectives: {
    genes: { depth: [1, 36], width: [1, 40], statements: [1, 4_000], links: [1, 6] },
    make: ({ depth, width, statements, links }) => {
      /** @type {unknown} */
      let statement = ['or', list(width, () => ['>', '.a', 5])]
      for (let at = 0; at < 2 * Math.floor(depth / 2); at += 1) statement = ['not', ['and', [statement]]]
      return underPolicy(
        list(Math.min(statements, 60_000 / (depth + width)), () => statement),
        { a: 7 },
        links,
      )
    },
  },
  values: {
    genes: { items: [1, 300_000], depth: [1, 58], keys: [0, 2_000], tokens: [1, 6] },
    costly: { items: 300_000, depth: 1, keys: 0, tokens: 1 },
    make: ({ items, depth, keys, tokens }) => {
      const many = list(tokens, (at) => {
        /** @type {unknown} */
        let meta = {
          list: list(items / tokens, () => 0),
          ...Object.fromEntries(list(keys, (key) => [`${key}`, at])),
        }
        for (let level = 0; level < depth; level += 1) meta = { a: [meta] }
        return delegation({ aud: nist.did, sub: alice.did, name: `${at}`, meta, isSigned: at === 0 })
      })
      return { call: 'inspect_token', input: { token: text(many) } }
    },
  },
  mesh: {
    genes: { people: [2, 60], tokens: [2, 1_024], command: [1, 20_000], did: [20, 2_000], call: [0, 1] },
    costly: { people: 9, tokens: 71, command: 20_000, did: 30, call: 0 },
    make: ({ people, tokens, command, did, call }) => {
      const name = (/** @type {number} */ at) => webDid(`person ${at % people}`, did)
      const cmd = `/${'a'.repeat(Math.min(command, 3_000_000 / tokens))}`
      const many = list(tokens, (at) =>
        delegation({
          ...{
            iss: name(at),
            aud: name(at * 7 + 1 + Math.floor(at / people)),
            name: `${at}`,
            cmd,
            isSigned: false,
          },
          sub: at % people === 0 ? name(0) : null,
        }),
      )
      const token = text(many)
      return call
        ? { call: 'inspect_token', input: { token } }
        : { call: 'verify_token', input: { token, now: NOW, leaf: many.at(-1)?.cid } }
    },
  },
  leaves: {
    genes: { leaves: [1, 1_023], did: [20, 2_000] },
    costly: { leaves: 1_000, did: 2_000 },
    make: ({ leaves, did }) => {
      const many = list(leaves, (at) =>
        delegation({
          iss: webDid(`a ${at}`, did),
          aud: webDid(`b ${at}`, did),
          sub: null,
          name: `${at}`,
          isSigned: false,
        }),
      )
      return { call: 'verify_token', input: { token: text(many), now: NOW } }
    },
  },
  layers: {
    genes: { layers: [1, 62], width: [1, 30], command: [1, 5_000] },
    make: ({ layers, width, command }) => {
      const cmd = `/${'a'.repeat(command)}`
      const did = (/** @type {number} */ layer, /** @type {number} */ at) => webDid(`${layer} ${at}`, 30)
      const many = list(Math.min(layers, Math.floor(1_000 / (width * width)) + 1), (layer) =>
        list(width, (from) =>
          list(width, (to) =>
            delegation({
              iss: did(layer, from),
              aud: did(layer + 1, to),
              sub: layer === 0 ? did(0, from) : null,
              cmd,
              name: `${layer} ${from} ${to}`,
              isSigned: false,
            }),
          ),
        ).flat(),
      ).flat()
      return {
        call: 'verify_token',
        input: { token: text(many.slice(0, 1_023)), now: NOW, leaf: many.slice(0, 1_023).at(-1)?.cid },
      }
    },
  },
  forgeries: {
    genes: { type: [0, 2], tokens: [1, 1_023], call: [0, 2], policy: [0, 400] },
    costly: { type: 1, tokens: 1_000, call: 0, policy: 0 },
    make: ({ type, tokens, call, policy }) => {
      const key = KEYS[type] ?? alice
      const pol = list(policy, () => ['==', '.a', 1])
      const many = list(call === 1 ? Math.min(tokens, 64) : tokens, (at) =>
        delegation({ key, aud: key.did, sub: key.did, name: `${at}`, pol, isSigned: false }),
      )
      if (call === 0) return { call: 'inspect_token', input: { token: text(many) } }
      if (call === 2)
        return { call: 'verify_token', input: { token: text(many), now: NOW, leaf: many[0]?.cid } }
      return {
        call: 'validate_invocation',
        input: asked(text([...many, invocation({ key: alice, sub: key.did, proofs: many })])),
      }
    },
  },
  batch: {
    genes: { invocations: [1, 2_000], type: [0, 2], filling: [0, 200_000], proofs: [0, 64], shared: [0, 1] },
    costly: { invocations: 110, type: 0, filling: 80_000, proofs: 1, shared: 1 },
    make: ({ invocations, type, filling, proofs, shared }) => {
      const key = KEYS[type] ?? alice
      const chain = list(proofs, (at) =>
        delegation({
          aud: at + 1 === proofs ? key.did : alice.did,
          sub: alice.did,
          name: `${at}`,
          pol: [['!=', '.a', 'x'.repeat(filling / 8)]],
        }),
      )
      const args = { a: 'y'.repeat(Math.min(filling, 8_000_000 / invocations)) }
      const texts = list(invocations, (at) => {
        const one = invocation({
          key,
          sub: proofs ? alice.did : key.did,
          args,
          proofs: chain,
          name: `${at}`,
          isSigned: at < 200,
        })
        return text(shared ? [one] : [...chain, one])
      })
      const input = {
        invocations: texts,
        now: NOW,
        ...(shared && chain.length ? { proofs: [text(chain)] } : {}),
      }
      return { call: 'validate_batch', input }
    },
  },
  garbage: {
    genes: { texts: [1, 400_000], length: [0, 3_000], field: [0, 2] },
    costly: { texts: 400_000, length: 0, field: 0 },
    make: ({ texts, length, field }) => {
      const some = list(Math.min(texts, 4_000_000 / (length + 3)), () => 'x'.repeat(length))
      if (field === 0) return { call: 'validate_batch', input: { invocations: some, now: NOW } }
      const one = text([invocation({ sub: alice.did })])
      return {
        call: 'validate_invocation',
        input: asked(one, field === 1 ? { proofs: some } : { revocations: some }),
      }
    },
  },
  revocations: {
    genes: {
      revocations: [1, 400],
      links: [1, 60],
      stars: [1, 20_000],
      strings: [1, 400],
      standing: [0, 1],
      type: [0, 2],
    },
    costly: { revocations: 20, links: 1, stars: 20_000, strings: 400, standing: 1, type: 0 },
    make: ({ revocations, links, stars, strings, standing, type }) => {
      const key = KEYS[type] ?? alice
      const chain = list(links, (at) =>
        delegation({ aud: at + 1 === links ? nist.did : alice.did, sub: alice.did, name: `${at}` }),
      )
      const target = chain.at(-1)
      const pol = [
        ['==', '.revoke', target?.link],
        ['all', '.of', ['like', '.', `${'a*'.repeat(stars)}b`]],
      ]
      const permission = delegation({
        key: standing ? alice : key,
        aud: key.did,
        sub: standing ? alice.did : key.did,
        cmd: '/ucan/revoke',
        pol,
        name: 'permission',
      })
      const texts = list(revocations, (at) =>
        text([
          permission,
          invocation({
            key,
            sub: standing ? alice.did : key.did,
            cmd: '/ucan/revoke',
            proofs: [permission],
            name: `${at}`,
            args: { revoke: target?.link, of: list(strings, () => 'a'.repeat(50)) },
          }),
        ]),
      )
      return {
        call: 'validate_invocation',
        input: asked(text([...chain, invocation({ key: nist, sub: alice.did, proofs: chain })]), {
          revocations: texts,
        }),
      }
    },
  },
  cids: {
    genes: { revoked: [1, 200_000], seen: [0, 200_000] },
    costly: { revoked: 120_000, seen: 120_000 },
    make: ({ revoked, seen }) => {
      const cid = invocation({ sub: alice.did }).cid
      return {
        call: 'validate_invocation',
        input: asked(text([invocation({ sub: alice.did })]), {
          revoked: list(revoked, () => cid),
          seen: list(seen, () => cid),
        }),
      }
    },
  },
  lookups: {
    genes: { issuers: [1, 1_000], did: [20, 2_000] },
    make: ({ issuers, did }) => {
      const chain = list(Math.min(issuers, 64), (at) =>
        delegation({
          iss: webDid(`${at}`, did),
          aud: webDid(`${at + 1}`, did),
          sub: at ? null : webDid('0', did),
          name: `${at}`,
          isSigned: false,
        }),
      )
      const others = list(issuers, (at) =>
        delegation({
          iss: webDid(`other ${at}`, did),
          aud: nist.did,
          sub: null,
          name: `o ${at}`,
          isSigned: false,
        }),
      )
      return {
        call: 'validate_invocation',
        input: asked(
          text([
            ...others.slice(0, 950),
            ...chain,
            invocation({ key: nist, sub: webDid('0', did), proofs: chain }),
          ]),
        ),
      }
    },
  },
  echoes: {
    genes: { kind: [0, 3], length: [1, 1_000_000], links: [0, 64], call: [0, 2] },
    costly: { kind: 2, length: 900_000, links: 1, call: 0 },
    make: ({ kind, length, links, call }) => {
      // Values that an answer writes longer than their token, and that a container compresses to almost nothing.
      const long = [
        () => Buffer.alloc(length),
        () => 'a'.repeat(length),
        () => '\u0001'.repeat(length),
        () => list(length / 40, () => LINK),
      ][kind]?.()
      const proofs = list(links, (at) =>
        delegation({
          aud: at + 1 === links ? nist.did : alice.did,
          sub: alice.did,
          pol: call ? [['!=', '.b', long]] : [],
          name: `${at}`,
        }),
      )
      if (call === 2) return { call: 'verify_token', input: { token: text(proofs), now: NOW } }
      const args = call ? {} : { a: long }
      const one = links
        ? invocation({ key: nist, sub: alice.did, proofs, args })
        : invocation({ sub: alice.did, args })
      return { call: 'validate_invocation', input: asked(text([...proofs, one])) }
    },
  },
  refusals: {
    genes: { names: [1, 5_000], length: [1, 400_000], invocations: [1, 400], kind: [0, 2] },
    costly: { names: 1, length: 100_000, invocations: 100, kind: 0 },
    make: ({ names, length, invocations, kind }) => {
      const long = `/${'a'.repeat(length)}`
      const proof = delegation({
        aud: nist.did,
        sub: alice.did,
        cmd: kind === 0 ? long : '/',
        pol:
          kind === 1
            ? list(names, () => ['==', `.${'b'.repeat(Math.min(length, MOST_TOKEN / names))}`, 1])
            : [],
        name: 'proof',
      })
      const texts = list(invocations, (at) =>
        text([
          invocation({
            key: nist,
            sub: kind === 2 ? webDid('x', Math.min(length, 20_000)) : alice.did,
            cmd: kind === 0 ? `${long}b` : '/a',
            proofs: [proof],
            name: `${at}`,
          }),
        ]),
      )
      return { call: 'validate_batch', input: { invocations: texts, proofs: [text([proof])], now: NOW } }
    },
  },
  everything: {
    genes: {
      seen: [0, 100_000],
      texts: [0, 200_000],
      revoked: [0, 100_000],
      tokens: [1, 500],
      padding: [0, 4_000_000],
    },
    costly: { seen: 40_000, texts: 100_000, revoked: 20_000, tokens: 200, padding: 1_000_000 },
    make: ({ seen, texts, revoked, tokens, padding }) => {
      const one = invocation({ sub: alice.did })
      const many = list(tokens, (at) =>
        delegation({ key: nist, aud: nist.did, sub: nist.did, name: `${at}`, isSigned: false }),
      )
      return {
        call: 'validate_invocation',
        input: asked(`${text([...many, one])}${' '.repeat(padding)}`, {
          seen: list(seen, () => many[0]?.cid),
          revoked: list(revoked, () => many[0]?.cid),
          proofs: list(texts, () => text([])),
        }),
      }
    },
  },
  receipts: {
    genes: { items: [0, 100_000], length: [0, 200_000], depth: [1, 100], receipts: [1, 400], links: [0, 16] },
    costly: { items: 1_000, length: 10, depth: 8, receipts: 60, links: 0 },
    make: ({ items, length, depth, receipts, links }) => {
      /** @type {unknown} */
      let value = list(Math.min(items, MOST_TOKEN / (length + 3)), () => letters('value', length))
      for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value }
      const args = { about: LINK, facts: { out: { ok: value }, run: [] } }
      const proofs = list(links, (at) =>
        delegation({ aud: at + 1 === links ? nist.did : alice.did, sub: alice.did, name: `${at}` }),
      )
      const key = links ? nist : alice
      const texts = list(Math.min(receipts, 8_000_000 / (length * items + 400)), (at) =>
        text([
          ...proofs,
          invocation({ key, sub: alice.did, cmd: '/ucan/assert', args, proofs, name: `receipt ${at}` }),
        ]),
      )
      return { call: 'validate_batch', input: { invocations: texts, now: NOW } }
    },
  },
  payments: {
    genes: { kind: [0, 3], length: [1, 4_000_000] },
    costly: { kind: 2, length: 4_000_000 },
    make: ({ kind, length }) => {
      const asked = { origin: 'https://shop.example', value: '12.34', currency: 'GBP', order: 'One book' }
      const long = [
        { origin: `https://${'a.'.repeat(length / 2)}example` },
        { value: `1${'0'.repeat(length)}.00` },
        { order: '\u200b'.repeat(length / 3) },
        { currency: 'G'.repeat(length) },
      ][kind]
      return { call: 'check_payment', input: { ...asked, ...long } }
    },
  },
  requests: {
    genes: { order: [1, 900_000], statements: [0, 4_000], links: [1, 12], type: [0, 2] },
    costly: { order: 400_000, statements: 1_000, links: 1, type: 0 },
    make: ({ order, statements, links, type }) => {
      const key = KEYS[type] ?? alice
      const pol = list(statements, (at) =>
        at % 2
          ? ['<=', '.amount', 10_000 + at]
          : ['any', '.order', ['like', '.', `*${letters(`${at}`, 8)}*`]],
      )
      const proofs = list(links, (at) =>
        delegation({
          ...{ aud: at + 1 === links ? key.did : alice.did, sub: alice.did },
          ...{ cmd: '/payment', pol, name: `${at}` },
        }),
      )
      const args = { payee: nist.did, amount: 1_234, currency: 'GBP', order: 'o'.repeat(order) }
      const request = invocation({ key, sub: alice.did, cmd: '/payment/request', args, proofs })
      return { call: 'validate_invocation', input: asked(text([...proofs, request])) }
    },
  },
  backups: {
    genes: { kind: [0, 3], length: [1, 8_000_000] },
    costly: { kind: 0, length: 8_000_000 },
    make: ({ kind, length }) => {
      const head = { format: 'keyhole-backup-3', address: 'a', chain_id: 'c', created_at: 1 }
      const more = [
        () => ({ sealed: letters('sealed', length) }),
        () => Object.fromEntries(list(length / 12, (at) => [`field ${at}`, at])),
        () => ({ slots: list(length / 2, () => 0) }),
        () => ({ nonce: '\u0001'.repeat(length / 6) }),
      ][kind]?.()
      return { call: 'read_backup', input: { backup: JSON.stringify({ ...head, ...more }) } }
    },
  },
  trials: {
    genes: { statements: [1, 3_000], items: [1, 30_000], stars: [0, 5_000], links: [1, 64] },
    make: ({ statements, items, stars, links }) => {
      const policy = list(statements / links, (at) =>
        at % 2
          ? ['any', '.of', ['==', '.', 'b']]
          : ['all', '.of', ['like', '.', `${'a*'.repeat(stars / statements)}`]],
      )
      return {
        call: 'evaluate_policy',
        input: {
          links: list(links, () => ({ command: '/', policy })),
          call: { command: '/a', args: { of: list(items, () => 'aaaaaaaa') } },
        },
      }
    },
  },
}

/** @type {Record<string, Shape>} */
export const SHAPES = { ...TOKENS, ...TEXTS }

/** Names of rules that may have refused an answer. */
export const NAMES = [
  'InvalidInput',
  'MalformedToken',
  'UnsupportedVersion',
  'InvalidSignature',
  'Expired',
  'TooEarly',
  'InvalidAudience',
  'InvalidClaim',
  'UnavailableProof',
  'Revoked',
  'RevocationUnknown',
  'InvalidSubject',
  'InvalidCommand',
  'MatchError',
  'Replayed',
  'TooMuchWork',
  'InvalidPayment',
  'BackupVersion',
  'NotBackup',
  'BackupDamaged',
  'BackupTooLong',
]

/** Random numbers from a seed. @param {number} seed */
export function drawing(seed) {
  let state = (seed ^ 0x9e3779b9) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Random numbers within a shape's bounds, spread over all magnitudes. @param {Shape} shape @param {() => number} draw @returns {Genes} */
export function begin({ genes }, draw) {
  return Object.fromEntries(
    Object.entries(genes)
      .map(([name, [least, most]]) => [
        name,
        Math.floor(
          least + (most + 1 - least) ** draw() - 1 + (most - least < 3 ? draw() * (most - least + 1) : 0),
        ),
      ])
      .map(([name, value]) => [name, clip(genes[name], Number(value))]),
  )
}

/** The same with one or two numbers changed. @param {Shape} shape @param {Genes} parent @param {() => number} draw @returns {Genes} */
export function change({ genes }, parent, draw) {
  const child = { ...parent }
  const names = Object.keys(genes)
  for (let times = draw() < 0.4 ? 2 : 1; times > 0; times -= 1) {
    const name = names[Math.floor(draw() * names.length)] ?? ''
    const [least, most] = genes[name] ?? [0, 0]
    const kind = draw()
    const now = child[name] ?? least
    if (most - least < 3) child[name] = least + Math.floor(draw() * (most - least + 1))
    else if (kind < 0.1) child[name] = most
    else if (kind < 0.15) child[name] = least
    else child[name] = clip(genes[name], Math.round((now || 1) * 2 ** (draw() * 4 - 2)))
  }
  return child
}

/** @param {[number, number] | undefined} bounds @param {number} value */
function clip(bounds, value) {
  const [least, most] = bounds ?? [0, 0]
  return Math.max(least, Math.min(most, value))
}

/** The call for a shape with these numbers. @param {string} shape @param {Genes} genes @returns {Asked} */
export function inputOf(shape, genes) {
  const found = SHAPES[shape]
  if (!found) throw new Error(`no shape is called ${shape}`)
  return found.make(genes)
}
