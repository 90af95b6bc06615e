import { useEffect, useState } from 'preact/hooks'
import { pageOf } from './api/links.ts'

const changed = new EventTarget()

/** The address within the console: the path of the resource and its query. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
  /** The cursors of the pages before this one. */
  readonly trail: readonly string[]
}

function currentPlace(): Place {
  const path = location.pathname.replace(/^\/console\/?/, '/')
  const trail = (history.state as { readonly trail?: readonly string[] } | null)?.trail ?? []
  return { path, query: new URLSearchParams(location.search), trail }
}

/** The address of a resource, with or without a query. */
export const hrefOf = ({ path, query }: Pick<Place, 'path' | 'query'>): string =>
  query.size === 0 ? path : `${path}?${query}`

/** Opens a page of the console by the path of its resource. */
export function open(
  href: string,
  {
    trail = [],
    isReplacement = false,
  }: { trail?: readonly string[]; isReplacement?: boolean } = {},
): void {
  const state = { trail }
  if (isReplacement) history.replaceState(state, '', pageOf(href))
  else history.pushState(state, '', pageOf(href))
  changed.dispatchEvent(new Event('change'))
}

/** The current address; renders again when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace)
  useEffect(() => {
    const update = () => setPlace(currentPlace())
    addEventListener('popstate', update)
    changed.addEventListener('change', update)
    return () => {
      removeEventListener('popstate', update)
      changed.removeEventListener('change', update)
    }
  }, [])
  return place
}

/** Follows links to pages of the console without loading the document again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const anchor = (event.target as Element | null)?.closest('a')
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0
    if (!anchor || !isPlain || anchor.target !== '' || anchor.origin !== location.origin) return
    if (!/^\/console(?:\/|$)/.test(anchor.pathname) || event.defaultPrevented) return
    event.preventDefault()
    open(anchor.pathname.replace(/^\/console\/?/, '/') + anchor.search)
    window.scrollTo(0, 0)
  })
}
