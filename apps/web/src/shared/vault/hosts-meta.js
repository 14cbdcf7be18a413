/** The name of the page's `meta` element with the hosts that this build may ask for `did:web` keys, separated by spaces. */
export const HOSTS_META = 'did-web-hosts'
