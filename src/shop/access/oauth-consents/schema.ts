import { Type } from 'typebox'
import { DateTime, Id, timestamps, type ValueOf } from '#schema/words.ts'

/** What a user allows an OAuth client to do. */
export const OauthConsent = Type.Object({
  id: Id('The ID of the consent of this user to this client.'),
  user_id: Id('The ID of the user who consented.'),
  client: Type.Object(
    {
      client_id: Type.String({
        description: 'The OAuth client identifier.',
        examples: ['cwc_c3RhcnQgaGVyZSBub3c'],
      }),
      name: Type.String({
        description: 'The name of the application.',
        examples: ['Parcel Tracker'],
      }),
    },
    { description: 'The application that may act for the user.' },
  ),
  scopes: Type.Array(Type.String(), {
    description: 'The scopes that the user has allowed since the last withdrawal.',
    examples: [['openid', 'orders:read']],
  }),
  expires_at: DateTime({
    description: 'When the consent ends, unless it is withdrawn or given again.',
  }),
  ...timestamps,
})

/** The filters of the list of consents. */
export const OauthConsentFilters = Type.Object({
  user_id: Type.Optional(
    Id('The user whose consents are listed; another user only for administrators.'),
  ),
})
export type OauthConsentFilters = ValueOf<typeof OauthConsentFilters>
