import { expect, it } from 'vitest'
import { usesOf } from './crate-modules.mjs'

/** What `a/b.rs` uses, among the files of a crate. @param {string} text */
const usedBy = (text) => {
  const others = ['lib.rs', 'a/mod.rs', 'a/c.rs', 'a/b/d.rs', 'e.rs', 'e/f.rs'].map((path) => [
    `src/${path}`,
    '',
  ])
  return usesOf('src', new Map([...others, ['src/a/b.rs', text]])).get('src/a/b.rs')
}

it.each([
  ['use crate::e::f::Thing;', ['src/e/f.rs']],
  ['use crate::e::{self, f::{One, Other}};', ['src/e.rs', 'src/e/f.rs']],
  ['use super::c::Thing;', ['src/a/c.rs']],
  ['use super::{Own, c};', ['src/a/mod.rs', 'src/a/c.rs']],
  ['use super::super::e::Thing;', ['src/e.rs']],
  ['use self::d::Thing;', ['src/a/b/d.rs']],
  ['mod d;\nfn run() { d::run() }', ['src/a/b/d.rs']],
  ['pub(super) mod d;\npub use d::{One, Other as Another};', ['src/a/b/d.rs']],
  ['fn run() { crate::e::f::run(super::c::WHAT) }', ['src/e/f.rs', 'src/a/c.rs']],
  ['mod d;', []],
  ['use other::c::Thing;\n// use crate::e::Thing;', []],
  ['#[cfg(test)]\nmod tests {\n    use crate::e::Thing;\n}', []],
])('%j uses %j', (text, used) => {
  expect(usedBy(text)?.sort()).toEqual([...used].sort())
})
