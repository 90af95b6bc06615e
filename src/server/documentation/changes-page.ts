/** The differences between the API versions, in Markdown. */
export const changesText = `# Versions of the API

Clients select a version by path (\`/v2/products\`), media type
(\`Accept: application/vnd.cartwright.v2+json\`) or query (\`?version=2\`). The \`API-Version\` header of
the response names it. All versions have the same resources at the same paths.

## Version 2

- Every amount is an object: \`{"amount": "19.99", "currency": "USD"}\` where version 1 has \`19.99\`.
  Request bodies use the same object; a plain number answers 422. Query filters such as
  \`price_min\` stay numbers.
- The \`availability\` of a product is an object: \`{"status": "in_stock", "stock": 12}\` where version 1
  has \`"in_stock"\`. The \`stock\` field of the product stays.

There are no other differences.

## Version 1

Served beside version 2. Once its responses have a \`Sunset\` header, it is deprecated and available at
least until that date.
`
