/** Host names as in DNS, in ASCII. None of these characters can end the policy or the attribute that the name goes into. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The hosts that this build may ask for `did:web` keys once a person allows it. Read from `KEYHOLE_DID_WEB_HOSTS`, separated by commas or
 * spaces.
 * @throws Error for a name that isn't a host name
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
