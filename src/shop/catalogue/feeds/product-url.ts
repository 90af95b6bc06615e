/** What the address of a product's page is made of. */
interface Addressed {
  readonly id: number
  readonly handle: string | null
}

/** Returns the address of the page of a product of the shop front, from `PRODUCT_URL`. */
export const productPage = (template: string, { id, handle }: Addressed): string =>
  template
    .replaceAll('{handle}', encodeURIComponent(handle ?? String(id)))
    .replaceAll('{id}', String(id))
