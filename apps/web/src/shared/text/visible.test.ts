import { describe, expect, it } from 'vitest'
import { quotable, quotablePath, visible, visibleJson } from './visible.ts'

const ACUTE = '\u0301'

describe('a text with everything in it visible', () => {
  it.each([
    ['plain letters', 'a plain, old text: 1 < 2'],
    ['another script', 'Привет, κόσμε'],
    ['accents', 'caf\u00e9, cafe\u0301'],
    ['three marks on a letter', `a${ACUTE.repeat(3)}`],
    ['raised digits', 'm\u00b2'],
  ])('leaves %s', (_what, text) => {
    expect(visible(text)).toBe(text)
  })

  it.each([
    ['a character that reverses the direction', 'a\u202eb', 'a\\u{202e}b'],
    ['a character without width', 'pay\u200bpal', 'pay\\u{200b}pal'],
    ['a line end', 'a\nb', 'a\\u{a}b'],
    ['a blank that isn’t a space', 'a\u00a0b', 'a\\u{a0}b'],
    ['the fourth mark on a letter', `a${ACUTE.repeat(4)}`, `a${ACUTE.repeat(3)}\\u{301}`],
    ['a mark without a letter', `${ACUTE}a`, '\\u{301}a'],
    ['a Cyrillic letter next to Latin ones', 'p\u0430ypal', 'p\\u{430}ypal'],
    ['a full-width letter', '\uff41', '\\u{ff41}'],
    ['a ligature', '\ufb01n', '\\u{fb01}n'],
    ['a phonetic letter', 'p\u0251y', 'p\\u{251}y'],
    ['a stroke that isn’t a slash', '/a\u2215b', '/a\\u{2215}b'],
  ])('shows %s', (_what, text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it('reads back as the same if it is JSON', () => {
    const json = JSON.stringify({ 'p\u0430y': 'a\u202eb \u{e0001}' })
    expect(visibleJson(json)).not.toMatch(/[\u202e\u0430\u{e0001}]/u)
    expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json))
  })

  it('is quoted so that no two texts are quoted alike', () => {
    const texts = [
      'a”b',
      'a\\”b',
      'a"b',
      'a\\"b',
      'a″b',
      'a\\″b',
      'a\u202eb',
      'a\\u{202e}b',
      'a\\',
      'a\\\\',
      'a\\\\u{202e}b',
    ]
    expect(new Set(texts.map(quotable)).size).toBe(texts.length)
  })

  it.each(['”', '“', '„', '"', '‟', '″', 'ˮ', '〞', '❞'])('is not ended by %s', (mark) => {
    expect(quotable(`x${mark}, and ${mark}to`)).toBe(`x\\${mark}, and \\${mark}to`)
  })

  it('keeps a path’s quotes around its keys, which contain none', () => {
    expect(quotablePath('["a.b"].c')).toBe('["a.b"].c')
    expect(quotablePath('["a”b"]')).toBe('["a\\”b"]')
  })
})
