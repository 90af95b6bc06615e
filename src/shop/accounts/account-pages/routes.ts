import type { RawRoute } from '#http/server/raw-routes.ts'
import { buttonPages } from './button-pages.ts'
import type { AccountPageParts } from './respond.ts'

/** The path under which this server serves the pages that the links in mails open. */
export const accountPagesPath = '/account'

const paths = ['password-resets', ...Object.keys(buttonPages)]

/** The routes of the pages that the links in mails open; loaded with the first request. */
export const accountPageRoutes = (parts: AccountPageParts): readonly RawRoute[] =>
  paths.flatMap((name) => {
    const respond: RawRoute['respond'] = async (call) => {
      const { respondToAccountPage } = await import('./respond.ts')
      await respondToAccountPage(parts, name, call)
    }
    const path = `${accountPagesPath}/${name}/:token`
    return [
      { method: 'GET', path, respond },
      { method: 'POST', path, respond },
    ] as const
  })
