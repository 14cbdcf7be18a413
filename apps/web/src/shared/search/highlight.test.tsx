import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Highlight } from './highlight.tsx'

afterEach(cleanup)

const drawn = (...[view]: Parameters<typeof Highlight>) => render(<Highlight {...view} />).container
const texts = (within: Element, selector: string) =>
  [...within.querySelectorAll(selector)].map(({ textContent }) => textContent)

test('the end of a key stays in one piece, also where a part of it was searched', () => {
  const text = 'You let Unknown key (…2doK) send messages for Key (…f3Jx)'
  const view = drawn({ text, words: ['2do', 'key (…f'] })
  expect(texts(view, '.whitespace-nowrap')).toEqual(['(…2doK)', '(…f3Jx)'])
  expect(texts(view, 'mark')).toEqual(['2do', 'Key ', '(…f'])
  expect(view.textContent).toBe(text)
})

test('so does one that a word about it follows', () => {
  const text = 'Schlüssel …2doK (unbekannt) darf Nachrichten senden'
  const view = drawn({ text, words: ['doK (un'.toLowerCase()] })
  expect(texts(view, '.whitespace-nowrap')).toEqual(['…2doK'])
  expect(texts(view, 'mark')).toEqual(['doK', ' (un'])
  expect(view.textContent).toBe(text)
})

test('a sentence has its emphasis, and no other text has it', () => {
  const sentence = {
    text: 'You let Ann send messages.',
    strong: [
      [8, 11],
      [12, 25],
    ] as const,
  }
  const view = drawn({ text: sentence.text, words: ['ann se'], sentence })
  expect(texts(view, 'strong')).toEqual(['Ann', 'send messages'])
  expect(texts(view, 'mark')).toEqual(['Ann', ' ', 'se'])
  expect(view.textContent).toBe(sentence.text)
  expect(texts(drawn({ text: 'Holiday mails', words: [], sentence }), 'strong')).toEqual([])
})
