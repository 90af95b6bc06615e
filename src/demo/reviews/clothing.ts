import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the clothing shelf. */
export const CLOTHING_REVIEWS: readonly WrittenReview[] = [
  [
    'CLO-FISHER',
    5,
    'Wind does not get in',
    'Scratchy for a week and now I live in it. True to size.',
  ],
  [
    'CLO-FISHER',
    3,
    'Warm but itchy',
    'Beautifully knitted, but I cannot wear it without a collar underneath.',
  ],
  ['CLO-MERINO', 5, 'Soft and neat', 'Washed it a dozen times on wool and it has kept its shape.'],
  [
    'CLO-TEE-HVY',
    5,
    'A proper T-shirt',
    'Thick without being stiff, and the collar has not gone wavy.',
    'I bought five more.',
  ],
  [
    'CLO-TEE-HVY',
    4,
    'Runs a little long',
    'Great cotton. I am short and it covers half my thighs.',
  ],
  ['CLO-OXFORD', 4, 'Everyday shirt', 'Needs no ironing if you hang it wet. Sleeves are generous.'],
  [
    'CLO-CHORE',
    5,
    'Pockets for everything',
    'Notebook, secateurs, biscuits. Fading nicely at the elbows.',
  ],
  ['CLO-RAIN', 5, 'Dry on a two-hour ride', 'The vents really help and the hood follows my head.'],
  [
    'CLO-RAIN',
    2,
    'Soaked through at the shoulders',
    'Fine in a shower, but under pack straps it let water in after an hour.',
  ],
  [
    'CLO-JEANS',
    4,
    'Give them a month',
    'Like cardboard at first, now the best-fitting pair I own. Size up if between sizes.',
  ],
  [
    'CLO-WRAP',
    5,
    'It has pockets',
    'Wore it to a wedding and then to the market. Creases look intended.',
  ],
  [
    'CLO-SOCKS-5',
    5,
    'No more cold toes',
    'The seam is flat, the heel stays in place and nothing has worn through yet.',
  ],
  [
    'CLO-SOCKS-5',
    1,
    'Hole in the first week',
    'Two of the five pairs wore through at the big toe almost at once.',
  ],
  [
    'CLO-SCARF',
    5,
    'Present that I kept',
    'Bought for my brother, tried it on, ordered a second one.',
  ],
  [
    'CLO-BOOTS',
    4,
    'Worth breaking in',
    'Three weeks of plasters, then bliss. The cobbler approves of the sole.',
  ],
]
