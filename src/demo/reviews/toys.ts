import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the toy shelf. */
export const TOYS_REVIEWS: readonly WrittenReview[] = [
  [
    'TOY-BLOCKS-60',
    5,
    'Played with every day',
    'Two small ones really are exactly as tall as one large one.',
    'It matters more than you would think.',
  ],
  [
    'TOY-BLOCKS-60',
    5,
    'Heirloom quality',
    'Smooth edges, lovely sound when a tower falls. Worth the price.',
  ],
  [
    'TOY-TRAIN',
    4,
    'Good track, needs more of it',
    'Fits the rails we already had. Buy a second set for a proper layout.',
  ],
  [
    'TOY-MARBLE',
    5,
    'I play with it too',
    'The bell at the bottom is genius, and also slightly regrettable at six in the morning.',
  ],
  [
    'TOY-BEAR',
    5,
    'Best friend',
    'Has been to nursery, the beach and hospital, and came out of the wash every time.',
  ],
  [
    'TOY-BEAR',
    4,
    'Smaller than I imagined',
    'Very well sewn. I had pictured something bigger, but my niece disagrees.',
  ],
  [
    'TOY-PUZ-1000',
    3,
    'That sky',
    'Four hundred pieces of almost the same blue. Well cut, but bring stamina.',
  ],
  [
    'TOY-PUZ-1000',
    5,
    'Our Christmas puzzle',
    'Pieces fit snugly and nothing was missing. The harbour lights are a joy.',
  ],
  [
    'TOY-LANTERNS',
    5,
    'Cooperative and tense',
    'We have lost six times and keep setting it up again.',
  ],
  [
    'TOY-ORCHARD',
    5,
    'Goes in every suitcase',
    'Explained in two minutes, played in fifteen, argued about for an hour.',
  ],
  ['TOY-CHESS', 4, 'Strong magnets', 'Survived a bumpy ferry. The pieces are small for my hands.'],
  [
    'TOY-KITE',
    5,
    'Up on the first try',
    'Hardly any wind and it still climbed. The winder makes packing up painless.',
  ],
  [
    'TOY-PAINTS',
    2,
    'Washable, mostly',
    'Hands yes, the white wall no. The red left a pink cloud we had to paint over.',
  ],
  [
    'TOY-MICRO',
    5,
    'Pond water will never be the same',
    'Sharper than the one I had at school. She found a water flea the first day.',
  ],
  [
    'TOY-CRYSTAL',
    1,
    'Nothing grew',
    'We followed every step twice and ended up with a dish of coloured mud.',
  ],
]
