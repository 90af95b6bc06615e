import type { ButtonLink } from '#shop/accounts/button-link.ts'
import { confirmEmail, rejectEmail } from './actions.ts'

/** The link with which a user confirms an address. */
export const confirmationLink: ButtonLink = {
  name: 'email_confirmation',
  description: 'A link to confirm an address, while it works.',
  segment: 'email-confirmations',
  purpose: 'email_confirmation',
  links: { confirm: 'email_confirmation', reject: 'email_rejection' },
  operationId: 'confirmEmail',
  summary: 'Confirms an address by the token of a mail, once, within three days.',
  prefix: 'verify',
  provesAccount: true,
  work: confirmEmail,
}

/** The link with which the holder of an address who did not sign up frees it. */
export const rejectionLink: ButtonLink = {
  name: 'email_rejection',
  description:
    'A link with which the holder of an address says not to have signed up, while it works.',
  segment: 'email-rejections',
  purpose: 'email_confirmation',
  links: { reject: 'email_rejection' },
  operationId: 'rejectEmail',
  summary:
    'Frees an address whose holder did not sign up, by the token of a mail; ends all that was made in the account.',
  prefix: 'disown',
  work: rejectEmail,
}
