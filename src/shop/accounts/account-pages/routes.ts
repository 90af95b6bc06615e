import type { RawRoute } from '#http/server/raw-routes.ts'
import { addressChangeLink } from '#shop/accounts/address-changes/link.ts'
import { confirmationLink, rejectionLink } from '#shop/accounts/email-confirmations/links.ts'
import type { AccountPageParts } from './respond.ts'

/** The path under which this server serves the pages that the links in mails open. */
export const accountPagesPath = '/account'

const buttonLinks = [confirmationLink, rejectionLink, addressChangeLink]

const pages = [
  { segment: 'password-resets', button: undefined },
  ...buttonLinks.map((button) => ({ segment: button.segment, button })),
]

/** The routes of the pages that the links in mails open; loaded with the first request. */
export const accountPageRoutes = (parts: AccountPageParts): readonly RawRoute[] =>
  pages.flatMap(({ segment, button }) => {
    const respond: RawRoute['respond'] = async (call) => {
      const { respondToAccountPage } = await import('./respond.ts')
      await respondToAccountPage(parts, button, call)
    }
    const path = `${accountPagesPath}/${segment}/:token`
    return [
      { method: 'GET', path, respond },
      { method: 'POST', path, respond },
    ] as const
  })
