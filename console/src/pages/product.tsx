import { useReading } from '../api/context.ts'
import type { Body } from '../api/json.ts'
import { linkOf, pageOf } from '../api/links.ts'
import { entriesOf } from '../api/request.ts'
import { formatMoney } from '../format.ts'
import { Badge } from '../parts/value.tsx'
import { word } from '../words/words.ts'
import { Images } from './images.tsx'
import { Details, Head, type ItemProps, Related } from './item.tsx'

/** A product with its pictures and variants. */
export function Product(props: ItemProps) {
  const { answer, template, reload } = props
  // The images are beside the fields, prices have their currency, the HTML the text of the description, options their names.
  const hasImages = Array.isArray(answer.body.images) && answer.body.images.length > 0
  const hidden = [
    ...['images', 'currency', 'description', 'option_names'],
    ...(hasImages ? ['image_url'] : []),
  ]
  const hasVariants = Array.isArray(answer.body.option_names)
  return (
    <article class="item product">
      <Head {...props} />
      <Related answer={answer} except={['images']} />
      <div class="columns wide-first">
        <Details answer={answer} template={template} except={hidden} />
        <div class="stack">
          <Images product={answer.body} onChanged={reload} />
          {hasVariants && <Variants product={answer.body} />}
        </div>
      </div>
    </article>
  )
}

function Variants({ product }: { readonly product: Body }) {
  const href = linkOf(product, 'variants')?.href
  const { answer } = useReading(href && `${href}?limit=100`)
  return (
    <section class="card">
      <header>
        <h2>{word('variants')}</h2>
      </header>
      <ul class="lines">
        {entriesOf(answer?.body).map((variant) => (
          <li key={String(variant.id)}>
            <a class="grow" href={pageOf(linkOf(variant, 'self')?.href ?? '')}>
              {Object.values((variant.options ?? {}) as Body).join(' · ')}
            </a>
            <Badge
              text={String(variant.status === 'active' ? variant.availability : variant.status)}
            />
            <span class="amount">{formatMoney(Number(variant.price))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
