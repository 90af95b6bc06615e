import { Type } from 'typebox'
import { Id, Moment, stamps, type ValueOf } from '#http/declare/schema.ts'

/** What a user lets a client of OAuth do. */
export const OauthConsent = Type.Object({
  id: Id('Identifies the consent of this user to this client.'),
  user_id: Id('Who has consented.'),
  client: Type.Object(
    {
      client_id: Type.String({
        description: 'What the client calls itself by.',
        examples: ['cwc_c3RhcnQgaGVyZSBub3c'],
      }),
      name: Type.String({ description: 'What it is called.', examples: ['Parcel Tracker'] }),
    },
    { description: 'Who may act for the user.' },
  ),
  scopes: Type.Array(Type.String(), {
    description:
      'What it may do, of all that was consented to since the consent was withdrawn last.',
    examples: [['openid', 'orders:read']],
  }),
  expires_at: Moment({ description: 'Until when, unless it is withdrawn or given once more.' }),
  ...stamps,
})

/** What consents can be filtered by. */
export const OauthConsentFilters = Type.Object({
  user_id: Type.Optional(Id('Whose consents; another user’s for administrators alone.')),
})
export type OauthConsentFilters = ValueOf<typeof OauthConsentFilters>
