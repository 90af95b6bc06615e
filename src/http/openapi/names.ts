/** Turns `cart_item` into `CartItem`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase())
