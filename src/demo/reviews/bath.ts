import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the bath shelf. */
export const BATH_REVIEWS: readonly WrittenReview[] = [
  ['BTH-TOWEL-BTH', 5, 'Dry by evening', 'Our bathroom has no window and these never smell damp.'],
  [
    'BTH-TOWEL-BTH',
    4,
    'Not fluffy, and that is fine',
    'Takes a few washes before it really absorbs. Then it is excellent.',
  ],
  ['BTH-TOWEL-HND', 5, 'Good weight', 'The loops have not pulled, even with a cat in the house.'],
  [
    'BTH-ROBE',
    5,
    'Weekend uniform',
    'The belt loops are in the right place and the pockets fit a book.',
  ],
  [
    'BTH-MAT',
    3,
    'Slides on tiles',
    'Soft and thick, but the backing lost its grip after three washes.',
  ],
  [
    'BTH-SOAP-OLV',
    5,
    'The only soap my skin likes',
    'No scent, no tightness, lasts for weeks if you let it dry.',
  ],
  [
    'BTH-SOAP-OLV',
    4,
    'Plain and good',
    'Lathers less than I am used to, but my hands no longer crack.',
  ],
  [
    'BTH-SOAP-TAR',
    5,
    "Smells like my grandfather's boat",
    'Takes engine oil off as well. My wife is less convinced.',
  ],
  [
    'BTH-SHAMPOO',
    4,
    'Two weeks of doubt, then great',
    'Hair felt odd at first and then better than with anything bottled.',
  ],
  [
    'BTH-SHAMPOO',
    2,
    'Left a film in hard water',
    'Perhaps it is our water, but I had to rinse with vinegar every time.',
  ],
  [
    'BTH-SALTS',
    5,
    'End of a long week',
    'The eucalyptus is discreet and the salt dissolves completely.',
  ],
  [
    'BTH-BALM',
    5,
    'Nurse-approved',
    'I wash my hands fifty times a shift. This is the first balm that keeps up.',
  ],
  [
    'BTH-RAZOR',
    5,
    'Closer than cartridges',
    'Mild enough to learn on, and the blades cost next to nothing.',
  ],
  [
    'BTH-CADDY',
    4,
    'Holds everything steady',
    'Just long enough for our old tub. The book rest is clever.',
  ],
  [
    'BTH-CURTAIN',
    5,
    'No more clinging plastic',
    'Hangs straight, dries fast and has not gone mouldy in four months.',
  ],
]
