import { Type } from 'typebox'
import { DateTime, Id, nullable, stringEnum } from '#schema/words.ts'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { deleteMailsOf, mailsForExport, mergeMails } from './personal-data-store.ts'
import { mailKinds } from './table.ts'

const Mail = Type.Object({
  kind: stringEnum(mailKinds, { description: 'What the mail is about.' }),
  order_id: nullable(Id('The order that the mail is about; null without one.')),
  status: stringEnum(['pending', 'sent', 'failed', 'cancelled'], {
    description:
      'Whether the mail was sent; cancelled: there was nobody to send it to any more, or the address had got, or the network caused, too many.',
  }),
  sent_at: nullable(DateTime({ description: 'When it was sent; null if it was not.' })),
  created_at: DateTime({ description: 'When it was due.' }),
})

/** The mails to a user; erasure also deletes those that are not sent yet, and the tokens in them. */
export const mailPersonalData: PersonalData = {
  name: 'mails',
  description: 'The mails to the user.',
  tables: ['mails', 'mail_requests', 'account_tokens'],
  merge: mergeMails,
  erase: (db, { id }) => deleteMailsOf(db, id),
  dataExport: {
    schema: Mail,
    read: async (db, userId, limit) =>
      toExportedData(await mailsForExport(db, userId, limit + 1), limit),
  },
}
