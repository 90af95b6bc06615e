import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the book shelf. */
export const BOOKS_REVIEWS: readonly WrittenReview[] = [
  [
    'BKS-SALTROAD',
    5,
    'Stayed with me',
    'I finished it on a train and missed my stop. The youngest sister is a marvel.',
  ],
  [
    'BKS-SALTROAD',
    4,
    'Slow, then unstoppable',
    'The first fifty pages ask for patience. The border chapter repays all of it.',
  ],
  [
    'BKS-SALTROAD',
    3,
    'Good writing, thin ending',
    'Lovely sentences throughout, but the last twenty pages felt hurried.',
  ],
  [
    'BKS-TIDECLOCK',
    5,
    'Read it in one sitting',
    'Eerie without being cruel, and the final letter made me cry in a café.',
  ],
  [
    'BKS-NINEWINTERS',
    4,
    'Proper winter crime',
    'Clever plot, very dry humour. I guessed the who but not the why.',
  ],
  [
    'BKS-NINEWINTERS',
    2,
    'Too many cousins',
    'I could not keep the families apart and the map at the front did not help.',
  ],
  [
    'BKS-RIVERS',
    5,
    'A beautiful object',
    'The drawings alone are worth it. We have walked four of the streams so far.',
  ],
  [
    'BKS-BREAD',
    5,
    'It actually works',
    'Three days sounds long, but it is ten minutes a day. My best crust ever.',
  ],
  [
    'BKS-ONEPOT',
    4,
    'Honest timings',
    'When it says thirty minutes it means thirty minutes.',
    'I wish there were more without meat.',
  ],
  [
    'BKS-PICKLE',
    5,
    'My fridge is full of jars',
    'Clear about what is safe and what is merely traditional. Start with the turnips.',
  ],
  [
    'BKS-STARS',
    5,
    'Perfect for a city balcony',
    'We found Jupiter the first evening. The month-by-month layout is just right.',
  ],
  [
    'BKS-ZERO',
    4,
    'Lively and short',
    'I am no mathematician and followed nearly everything. The ledger chapter is great fun.',
  ],
  [
    'BKS-FOXMOON',
    5,
    'Every night for a month',
    'My son can recite it. The page with the moon in the bucket is his favourite.',
  ],
  [
    'BKS-OTTO',
    5,
    'Made for reading aloud',
    'The rhymes really scan, which is rarer than it should be.',
  ],
  [
    'BKS-DARN',
    4,
    'Saved two jumpers',
    'Good photographs and sensible about thread. The sashiko part is rather brief.',
  ],
]
