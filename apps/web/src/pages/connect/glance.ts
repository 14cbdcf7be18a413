// Without React: its first render in a new window took a third of the time until a request was visible.

import { hostOf, isLookalike } from '../../shared/asker/asker-host.ts'
import type { Slot } from '../../shared/asker/slots.ts'
import { INNER, LIST, NOTE, OPEN_NOTE } from '../../shared/grant-words/limit-look.ts'
import type { Limit } from '../../shared/grant-words/limits.ts'
import { partDirection, partLook } from '../../shared/grant-words/parts.ts'
import { type Capability, tellGrant } from '../../shared/grant-words/sentence.ts'
import { shallowLimits } from '../../shared/grant-words/shallow-limits.ts'
import { readLanguage, showLanguage } from '../../shared/language/language.ts'
import { isUnlimited } from '../../shared/policy/simplify.ts'
import type { CapabilityRequest } from '../../shared/requests/request.ts'
import { ends } from '../../shared/text/ends.ts'
import { visible } from '../../shared/text/visible.ts'
import { cx } from '../../shared/ui/cx.ts'
import { pinColour, pins } from '../../shared/ui/text/identicon-pins.ts'
import { looksLocked } from '../../shared/vault/open-mark.ts'
import { readAsking } from './channel/opener.ts'
import { type Asking, askedSoFar, whenAsked } from './channel/receive-request.ts'
import { endingAt } from './ending.ts'

/** How long the rest of the page waits for the opener, and for its request to be painted, in milliseconds. */
const PATIENCE = 100

/**
 * Shows the opener's request in the prerendered frame, so that the person can read it while the vault loads. It fills in the same view that
 * React draws. Everything else waits for React: other kinds of requests, and one that comes late.
 * @returns resolves when it is shown, or won't be
 */
export async function showRequest(): Promise<void> {
  // The view's texts are in the page's language.
  const { lang } = document.documentElement
  const language = readLanguage()
  if (window.opener === null || location.hash.length > 1 || language !== lang) return
  await showLanguage(language)
  const [asking, isLocked] = await Promise.all([firstAsked(), looksLocked()])
  if (!asking) return
  const { origin, read } = readAsking(asking)
  if (!('request' in read) || read.request.kind !== 'capability') return
  const template = document.querySelector<HTMLTemplateElement>('#request')
  if (!template) return
  fill(template.content, origin, read.request, isLocked)
  document.querySelector('#page')?.append(template.content)
  await nextFrame()
}

function firstAsked(): Promise<Asking | undefined> {
  const asking = askedSoFar()
  if (asking) return Promise.resolve(asking)
  return new Promise((resolve) => {
    const end = (heard?: Asking) => {
      clearTimeout(timer)
      forget()
      resolve(heard)
    }
    const timer = setTimeout(end, PATIENCE)
    const forget = whenAsked(end)
  })
}

/** A hidden window has no frames, so don't wait long. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PATIENCE)
  })
}

/** @param isLocked whether a locked vault may know whose key it is */
export function fill(
  view: DocumentFragment,
  origin: string,
  request: CapabilityRequest,
  isLocked: boolean,
): void {
  const { command, audience, policy, expiresIn } = request
  const at = (slot: Slot) => found(view, `[data-slot="${slot}"]`)
  const put = (slot: Slot, text: string) => {
    for (const place of view.querySelectorAll(`[data-slot="${slot}"]`)) place.textContent = text
  }
  const keep = (slot: Slot, is: boolean) => {
    if (!is) at(slot).remove()
  }
  const host = hostOf(origin)
  put('scheme', origin.slice(0, origin.length - host.length))
  put('host', host)
  keep('lookalike', isLookalike(host))
  putSentence(
    found(at('sentence'), 'div'),
    {
      ...{ issuer: '', audience, subject: '', command, policy },
      expiresAt: endingAt('asked', expiresIn, Date.now()) * 1000,
    },
    isLocked,
  )
  const reason = visible(request.reason.trim())
  put('said', reason)
  keep('reason', reason !== '')
  putIdentifier(at('audience'), audience)
  keep('spends', command.startsWith('/payment'))
  keep('unlimited', isUnlimited(policy))
  keep('blocked', isLocked)
}

/** Nothing is known about the person yet, and their own DID is empty. */
const NOT_KNOWN = { own: new Set(['']), named: new Map() }

/** As `SentenceView` renders it. */
function putSentence(place: Element, capability: Capability, isSealed: boolean): void {
  const { sentence, limits, notes } = tellGrant(capability, { ...NOT_KNOWN, isSealed })
  const paragraph = document.createElement('p')
  paragraph.append(
    ...sentence.map((part) => {
      const element = made(part.kind === 'plain' ? 'span' : 'strong', part.text)
      if (part.kind === 'plain') return element
      element.className = partLook(part)
      if (partDirection(part) !== undefined) element.dir = 'auto'
      if (part.full !== undefined) element.title = part.full
      return element
    }),
  )
  const open = notes.map((note) => made('p', note, OPEN_NOTE))
  place.replaceChildren(paragraph, ...(limits.length === 0 ? [] : [limitList(limits)]), ...open)
}

/** As `LimitList` renders it. */
export function limitList(limits: readonly Limit[]): HTMLElement {
  return nested(shallowLimits(limits), LIST)
}

function nested(limits: readonly Limit[], className: string): HTMLElement {
  const list = made('ul', '', className)
  for (const { text, of, note } of limits) {
    const item = document.createElement('li')
    if (of === undefined) item.append(made('span', text, 'font-semibold'))
    else item.append(text, nested(of, cx(LIST, INNER)))
    if (note !== undefined) item.append(made('span', note, NOTE))
    list.append(item)
  }
  return list
}

function made(name: string, text: string, className = ''): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  if (className !== '') element.className = className
  return element
}

/** As `DidText` renders it. */
function putIdentifier(place: Element, text: string): void {
  const { hue, path } = pins(text)
  const colour = pinColour(hue)
  for (const circle of place.querySelectorAll('svg:first-of-type circle')) circle.setAttribute('fill', colour)
  const arcs = found(place, 'svg path')
  arcs.setAttribute('d', path)
  arcs.setAttribute('stroke', colour)
  const code = found(place, 'code')
  const [head, middle, tail] = ends(text)
  if (middle === '') {
    code.textContent = text
    code.parentElement?.replaceWith(code)
    return
  }
  const between = found(code, '.kh-middle')
  between.textContent = middle
  code.replaceChildren(head, between, tail)
}

function found(within: ParentNode, selector: string): Element {
  const element = within.querySelector(selector)
  if (!element) throw new Error(`The view of a request has no ${selector}`)
  return element
}
