// What every generated client buys, and for whom.
export const newAccount = (name: string) => ({
  username: `${name}-${Date.now()}`,
  password: 'correct horse battery staple',
})

export const query = { availability: ['in_stock' as const], price_max: 50 }

export const shipping = {
  recipient: 'Ada Lovelace',
  address: {
    line1: '12 St James’s Square',
    city: 'London',
    postal_code: 'SW1Y 4JH',
    country: 'GB' as const,
  },
}

export const payment = { method: 'card' as const, token: 'tok_visa' }
