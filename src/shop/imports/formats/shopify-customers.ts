import type { ColumnRule, ColumnRules, Fields, FileFormat, ForeignRecord } from './format.ts'
import { mergeFields } from './merge-fields.ts'

/** A text, before which a spreadsheet keeps zeros and signs by a `'`; an empty cell says nothing. */
const textOf = (cell: string): string => cell.replace(/^'/, '').trim()

const filled = (field: string): ColumnRule => ({
  read: (cell) => (textOf(cell) === '' ? {} : { [field]: textOf(cell) }),
})

const inAddress = (field: string): ColumnRule => ({
  read: (cell) => (textOf(cell) === '' ? {} : { address: { [field]: textOf(cell) } }),
})

const customer: ColumnRules = {
  'Customer ID': filled('external_id'),
  Email: filled('email'),
  Phone: filled('phone'),
}

const address: ColumnRules = {
  'Default Address Company': inAddress('company'),
  'Default Address Address1': inAddress('line1'),
  'Default Address Address2': inAddress('line2'),
  'Default Address City': inAddress('city'),
  'Default Address Province Code': inAddress('region'),
  'Default Address Country Code': inAddress('country'),
  'Default Address Zip': inAddress('postal_code'),
  'Default Address Phone': inAddress('phone'),
}

/** The name of a customer, else of the company, else what else the customer is known by. */
function nameOf({ cell }: ForeignRecord): Fields {
  const [first, last] = [cell('First Name'), cell('Last Name')]
  const others = [cell('Default Address Company'), cell('Email').split('@')[0], cell('Phone')]
  const name = [first, last].filter((part) => part !== '').join(' ')
  const [found] = [name, ...others].flatMap((each) => textOf(each ?? '') || [])
  return found === undefined ? {} : { name: found }
}

function fieldsOf(record: ForeignRecord): Fields {
  const fields = mergeFields(record.fields(customer), nameOf(record))
  const given = record.fields(address)['address'] as Fields | undefined
  const phone = fields['email'] === undefined && (fields['phone'] ?? given?.['phone'])
  const known = phone ? { ...fields, phone } : fields
  // A country alone is no address.
  const isPlace = given !== undefined && ['line1', 'city'].some((name) => name in given)
  return isPlace ? { ...known, address: given } : known
}

/** The CSV of customers that Shopify exports: one record for each. */
export const shopifyCustomers: FileFormat = {
  name: 'shopify',
  marks: [
    ['First Name', 'Last Name', 'Email', 'Default Address Address1'],
    ['First Name', 'Last Name', 'Email', 'Address1', 'Accepts Marketing'],
  ],
  // Those of older exports; their `Phone` is that of the customer.
  otherNames: Object.fromEntries(
    Object.keys(address)
      .filter((name) => name !== 'Default Address Phone')
      .map((name) => [name.replace('Default Address ', ''), name]),
  ),
  rules: [customer, address],
  structure: ['First Name', 'Last Name'],
  open: () => ({ rows: ([record]) => (record ? [{ at: 0, fields: fieldsOf(record) }] : []) }),
}
