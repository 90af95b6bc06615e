import type { Body } from '../api/json.ts'
import { formatCountry } from '../format.ts'
import { word } from '../words/words.ts'

/** The lines of a postal address. */
export function Address({ shipping }: { readonly shipping: Body }) {
  const address = shipping.address as Body | null
  if (!address) return <p class="quiet-text">{word('noAddress')}</p>
  const { line1, line2, city, region, postal_code, country } = address
  const lines = [
    shipping.recipient,
    shipping.company,
    line1,
    line2,
    [postal_code, city, region].filter(Boolean).join(' '),
    typeof country === 'string' ? formatCountry(country) : undefined,
    shipping.phone,
  ]
  return (
    <address>
      {lines.filter(Boolean).map((line) => (
        <div key={String(line)}>{String(line)}</div>
      ))}
    </address>
  )
}
