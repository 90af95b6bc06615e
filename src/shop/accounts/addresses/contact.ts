import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'

const text = (maxLength: number, description: string, example: string) =>
  nullable(Type.String({ minLength: 1, maxLength, description, examples: [example] }))

/** What an address and a shipping say of the recipient besides the name. */
export const contactFields = {
  company: text(200, 'The company of the recipient.', 'Analytical Engines Ltd'),
  vat_id: text(50, 'The VAT ID of the recipient; it is not checked.', 'GB123456789'),
  phone: text(50, 'Phone number for the carrier.', '+44 20 7946 0000'),
}
