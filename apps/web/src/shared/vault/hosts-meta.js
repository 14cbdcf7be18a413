/** The name of the page's `meta` element with the hosts that this build may ask for the keys of a `did:web`, by spaces. */
export const HOSTS_META = 'did-web-hosts'
