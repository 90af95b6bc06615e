import {
  anyUser,
  ownerOrAdmin,
  ownerOrFullySignedInAdmin,
  privateCache,
} from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read, remove } from '#http/declare/route.ts'
import { visibleUserId } from '#shop/accounts/users/access.ts'
import { withdrawConsent } from './actions.ts'
import { presentConsent } from './rules.ts'
import { OauthConsent, OauthConsentFilters } from './schema.ts'
import * as store from './store.ts'

const consent = item({
  name: 'oauth_consent',
  description: 'What a user allows an application to do; removing it withdraws the consent.',
  path: '/oauth-consents/:consentId',
  schema: OauthConsent,
  load: ({ db, now }, { consentId }): Promise<store.OauthConsent | undefined> =>
    store.findConsent(db, consentId, now),
  isGone: ({ grants }) => grants === 0,
  pathParams: ({ id }) => ({ consentId: id }),
  // Grants expire and clients are renamed without a new revision of the consent.
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

/** The routes of OAuth consents, for the user who gave them and for administrators. */
export const oauthConsentRoutes = () => {
  const own = ownerOrAdmin(consent, 'keys:write')
  return [
    list(consents, {
      summary: 'Lists the consents of the caller or, for administrators, of another user.',
      access: anyUser('keys:write'),
      rateLimit: 'default',
      cache: privateCache,
      filters: OauthConsentFilters,
      sortFields: ['id'],
      problems: ['4031'],
      find: ({ db, actor, now }, { filters, page }) => {
        const userId = visibleUserId(actor, filters.user_id) ?? actor.userId ?? 0
        return store.listConsents(db, { userId, now }, page)
      },
    }),
    read(consent, {
      summary: 'Reads what a user allows an application to do.',
      access: own,
      rateLimit: 'default',
      cache: privateCache,
    }),
    remove(consent, {
      operationId: 'withdrawOauthConsent',
      summary: 'Withdraws a consent and revokes its tokens, from the next request on.',
      access: ownerOrFullySignedInAdmin(consent, 'keys:write'),
      rateLimit: 'default',
      handle: (ctx, { current }) => withdrawConsent(ctx, current),
    }),
  ]
}
