import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the food shelf. */
export const FOOD_REVIEWS: readonly WrittenReview[] = [
  [
    'FOO-OLIVEOIL',
    5,
    'Catches the throat in the best way',
    'Peppery and green. Wasted on frying, perfect on tomatoes.',
  ],
  [
    'FOO-OLIVEOIL',
    4,
    'Excellent but gone too fast',
    'Please make a litre tin. The half-litre lasts us nine days.',
  ],
  ['FOO-HONEY', 5, 'Tastes of the moor', 'Dark and almost bitter. Stands up to strong cheese.'],
  [
    'FOO-MARMALADE',
    5,
    'Properly bitter',
    'Thick peel, not too sweet. I have stopped making my own.',
  ],
  [
    'FOO-PEANUT',
    4,
    'Stir it well',
    'Deep roasted flavour. The oil separates, so give it a minute with a knife.',
  ],
  [
    'FOO-CHOC-70',
    5,
    'Dried cherry, really',
    'I thought the notes were marketing and then I tasted it.',
  ],
  ['FOO-CHOC-70', 3, 'Grainy for my taste', 'Interesting flavour, but I prefer a smoother bar.'],
  ['FOO-CHOC-MILK', 5, 'Dangerous', 'I hid it from the children and then ate it all myself.'],
  [
    'FOO-COFFEE-ESP',
    5,
    'Fresh and forgiving',
    'Roasted two days before it arrived. Easy to dial in, great with milk.',
  ],
  [
    'FOO-COFFEE-ESP',
    4,
    'Solid house coffee',
    "Chocolate and nuts, nothing wild, which is what I want at seven o'clock.",
  ],
  [
    'FOO-TEA-SMOKE',
    2,
    'Like drinking a campfire',
    'I enjoy smoky tea but this took over the whole cupboard.',
  ],
  ['FOO-PASTA', 5, 'Sauce stays on', 'Rough, thick and firm to the bite. The price is fair.'],
  [
    'FOO-BEANS',
    5,
    'Creamiest beans I have cooked',
    'Soaked overnight, simmered for fifty minutes, no splitting.',
  ],
  ['FOO-CHILLI', 4, 'Hot with a tang', 'On eggs every morning. The bottle could use a dripper.'],
  ['FOO-SARDINES', 5, 'Small luxury', 'The lemon oil is good enough to mop up with bread.'],
]
