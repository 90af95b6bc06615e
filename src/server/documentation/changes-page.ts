/** What is different between the versions of the API, for people, in Markdown. */
export const changesText = `# Versions of the API

Name the version that you were written for, in one of three ways: in the path (\`/v2/products\`), in
the media type (\`Accept: application/vnd.cartwright.v2+json\`) or in the query (\`?version=2\`). The
\`API-Version\` of the answer says which one it is. All versions show the same resources, at the same
addresses.

## Version 2

- Every amount is an object: \`{"amount": "19.99", "currency": "USD"}\` where version 1 has \`19.99\`.
  Bodies take the same; a plain number is refused with 422. Filters of the query, such as
  \`price_min\`, stay numbers.
- The \`availability\` of a product is an object: \`{"status": "in_stock", "stock": 12}\` where version 1
  has \`"in_stock"\`. \`stock\` of the product itself stays.

Nothing else is different.

## Version 1

Superseded by version 2. It is served at least until the date in \`Sunset\`.
`
