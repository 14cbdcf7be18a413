/** A request as an app sends it, for the tests of its readers. */
export const EXAMPLE = {
  kind: 'capability',
  command: '/msg/send',
  audience: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  policy: [['<=', '.count', 10]],
  expiresIn: 3600,
  reason: 'To send invitations',
}
