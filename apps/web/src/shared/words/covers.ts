/** Whether `wider` covers `narrower`, segment by segment: /crypto covers /crypto/sign but not /cryptocurrency. */
export function covers(wider: string, narrower: string): boolean {
  return wider === '/' || narrower === wider || narrower.startsWith(`${wider}/`)
}
