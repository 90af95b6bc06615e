const paths = {
  cart: 'M3 4h2.4l2.2 11h9.6l2-8H6.2M9 19.5v.01M16.5 19.5v.01',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  today: 'M4 11l8-7 8 7M6 10v9h12v-9',
  orders: 'M5 8h14l-1 12H6zM9 8a3 3 0 0 1 6 0',
  products: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  categories: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-6 6-6s6 2.500 6 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2 .7 3 2.800 3 5.500',
  purchases: 'M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zM9 8h6M9 12h6',
  discounts: 'M4 4h8l8 8-8 8-8-8zM8.500 8.500v.01',
  'shipping-methods': 'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19v.01M17.500 19v.01',
  'tax-rates':
    'M6 18L18 6M7.500 8.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM16.500 18.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z',
  events: 'M3 12h4l3-8 4 16 3-8h4',
  webhooks:
    'M10 14a4 4 0 0 1 0-6l3-3a4 4 0 0 1 6 6l-1.500 1.500M14 10a4 4 0 0 1 0 6l-3 3a4 4 0 0 1-6-6l1.500-1.500',
  'audit-events': 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  imports: 'M12 4v11M7 10l5 5 5-5M4 20h16',
  print: 'M7 9V4h10v5M7 17H4v-8h16v8h-3M7 14h10v6H7z',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  check: 'M5 13l4 4 10-11',
  other: 'M12 12v.01M6 12v.01M18 12v.01',
} as const

/** The name of an icon. */
export type IconName = keyof typeof paths

/** The icon of a collection, by the first part of its path. */
export const iconOf = (name: string): IconName =>
  Object.hasOwn(paths, name) ? (name as IconName) : 'other'

/** A decorative icon, which screen readers leave out. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
