import { type Enclave, TypedCalls } from '@keyhole/enclave'

/** Gives an object that calls by name what every enclave has: the calls that are typed. */
export function withTypedCalls(enclave: Omit<Enclave, 'call'>): Enclave {
  return Object.assign(enclave, { call: TypedCalls.prototype.call })
}
