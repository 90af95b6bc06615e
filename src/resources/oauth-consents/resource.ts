import { ownerOf, ownerOrSignedInAdmin, personal, signedIn } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read, remove } from '#http/declare/route.ts'
import { buyerShownTo } from '#resources/purchases/rules.ts'
import { endConsent } from './actions.ts'
import { presentConsent } from './rules.ts'
import { OauthConsent, OauthConsentFilters } from './schema.ts'
import * as store from './store.ts'

const consent = item({
  name: 'oauth_consent',
  description: 'What a user lets an application do; to remove it is to withdraw that.',
  path: '/oauth-consents/:consentId',
  schema: OauthConsent,
  load: ({ db, now }, { consentId }): Promise<store.OauthConsent | undefined> =>
    store.findConsent(db, consentId, now),
  isGone: ({ grants }) => grants === 0,
  pathParams: ({ id }) => ({ consentId: id }),
  // A grant may end by itself, and a client be called otherwise.
  revision: ({ revision, grants, client_revision }) => `${revision}.${grants}.${client_revision}`,
  changedAt: ({ created_at, updated_at, client_changed_at }) => [
    created_at,
    updated_at,
    client_changed_at,
  ],
  owner: ({ user_id }) => user_id,
  present: presentConsent,
  links: {
    user: { to: 'user', params: ({ user_id }) => ({ id: user_id }) },
    client: {
      to: 'oauth_client',
      params: ({ oauth_client }) => ({ oauthClientId: oauth_client }),
    },
    delete: { to: 'oauth_consent', operation: 'remove' },
  },
})

const consents = collection({ name: 'oauth_consents', path: '/oauth-consents', item: consent })

/** What users let applications do: read and withdrawn by them, and by administrators. */
export const oauthConsentRoutes = () => {
  const own = ownerOf(consent, 'keys:write')
  return [
    list(consents, {
      summary:
        'Pages through what the caller, or for administrators another user, lets applications do.',
      access: signedIn('keys:write'),
      rate: 'reads',
      cache: personal,
      filters: OauthConsentFilters,
      sorts: ['id', 'created_at', 'updated_at'],
      problems: ['4031'],
      find: ({ db, actor, now }, { filters, page }) => {
        const userId = buyerShownTo(actor, filters.user_id) ?? actor.userId ?? 0
        return store.listConsents(db, { userId, now }, page)
      },
    }),
    read(consent, {
      summary: 'Reads what a user lets an application do.',
      access: own,
      rate: 'reads',
      cache: personal,
    }),
    remove(consent, {
      summary: 'Withdraws a consent, with every token that rests on it, from the next request on.',
      access: ownerOrSignedInAdmin(consent, 'keys:write'),
      rate: 'writes',
      handle: (ctx, { current }) => endConsent(ctx, current),
    }),
  ]
}
