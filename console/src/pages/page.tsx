import { useEffect } from 'preact/hooks'
import { useReading, useShop } from '../api/context.ts'
import type { ApiDocument } from '../api/document.ts'
import { Blank, Failure, Skeleton } from '../parts/notice.tsx'
import type { Place } from '../router.ts'
import { nameInWords, word } from '../words/words.ts'
import { Imports } from './imports.tsx'
import { Item } from './item.tsx'
import { List } from './list.tsx'
import { Operation } from './operation.tsx'
import { Order } from './order/order.tsx'
import { Product } from './product.tsx'
import { Today } from './today.tsx'

/** Pages that are more than their schema says. */
const ownPages: Readonly<Record<string, typeof Item>> = {
  '/orders/{orderId}': Order,
  '/users/{id}/orders/{orderId}': Order,
  '/products/{productId}': Product,
  '/operations/{operationId}': Operation,
}

/** The page of an address: one made by hand, a list or a resource. */
export function Page({ place, href }: { readonly place: Place; readonly href: string }) {
  const { document: api } = useShop()
  const title = titleOf(api, place.path)
  useEffect(() => {
    document.title = `${title} · ${api.title}`
  }, [title])
  if (place.path === '/') return <Today />
  if (place.path === '/imports' && api.permitted('POST', '/imports')) return <Imports />
  const operation = api.operation('GET', place.path)
  if (!operation) {
    return (
      <>
        <h1 class="unseen">{title}</h1>
        <Blank text={word('notFound')} />
      </>
    )
  }
  if (api.entrySchema(operation)) return <List place={place} operation={operation} title={title} />
  return <ItemPage href={href} template={operation.template} />
}

function ItemPage({ href, template }: { readonly href: string; readonly template: string }) {
  const { answer, error, reload } = useReading(href)
  if (error !== undefined) {
    return (
      <>
        <h1 class="unseen">{word('failed')}</h1>
        <Failure error={error} onRetry={reload} />
      </>
    )
  }
  if (!answer) return <Skeleton />
  const Shown = ownPages[template] ?? Item
  return <Shown answer={answer} href={href} template={template} reload={reload} />
}

function titleOf(api: ApiDocument, path: string): string {
  if (path === '/') return word('today')
  const parts = path.split('/').filter((part) => part !== '')
  const last = parts.at(-1) ?? ''
  if (api.operation('GET', path)?.template.endsWith('}')) {
    return `${nameInWords(parts.at(-2) ?? '')} ${last}`
  }
  return nameInWords(last)
}
