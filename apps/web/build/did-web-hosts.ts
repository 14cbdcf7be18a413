/** Names as DNS has them, in their ASCII form: nothing that could end the policy or the attribute in which they stand. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The hosts whose `did:web` keys this build may look up where a person allows it: `KEYHOLE_DID_WEB_HOSTS`, by commas or spaces.
 * @throws Error for a name that is none
 */
export function didWebHosts(list = process.env.KEYHOLE_DID_WEB_HOSTS ?? ''): string[] {
  const hosts = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== '')
  const wrong = hosts.find((host) => !HOST.test(host))
  if (wrong !== undefined)
    throw new Error(
      `KEYHOLE_DID_WEB_HOSTS: “${wrong}” is no host name. Give names alone, such as mybank.example.`,
    )
  return [...new Set(hosts)].sort()
}
