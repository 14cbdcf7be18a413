import { afterEach, expect } from 'vitest'
import { isRefusal } from '../errors.ts'
import { mayRefuse } from '../is-answer.ts'
import { Remote } from '../worker/remote.ts'

// Vitest's set-up: in every test, each refusal by an enclave must be one that the contract lists for that export.
const undeclared: string[] = []
const { callByName } = Remote.prototype

Remote.prototype.callByName = async function (name, ...given) {
  const answer = await callByName.call(this, name, ...given)
  if (isRefusal(answer) && !mayRefuse(name, answer.name)) undeclared.push(`${name}: ${answer.name}`)
  return answer
}

afterEach(() => {
  expect(undeclared.splice(0)).toEqual([])
})
