import { type ComponentChildren, createElement } from 'preact'
import { useMemo } from 'preact/hooks'

const elements = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
    'strong b em i u s small mark sub sup br hr'
  ).split(' '),
)

/** The elements of a node by name, without attributes but the addresses of links; a picture is what it shows. */
function childrenOf(node: Node): ComponentChildren {
  return [...node.childNodes].map((child) => {
    if (!(child instanceof Element)) return child.nodeType === Node.TEXT_NODE && child.nodeValue
    const name = child.localName
    if (name === 'img') return child.getAttribute('alt')
    const href = name === 'a' && child.getAttribute('href')
    if (href && /^https?:/i.test(href)) {
      return (
        <a href={href} target="_blank" rel="noreferrer">
          {childrenOf(child)}
        </a>
      )
    }
    return elements.has(name) ? createElement(name, null, childrenOf(child)) : childrenOf(child)
  })
}

/** HTML as it looks in a shop, without pictures, since no page of the console calls another host. */
export function Html({ html }: { readonly html: string }) {
  const document = useMemo(() => new DOMParser().parseFromString(html, 'text/html'), [html])
  return <div class="html">{childrenOf(document.body)}</div>
}
