import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the garden shelf. */
export const GARDEN_REVIEWS: readonly WrittenReview[] = [
  [
    'GDN-TROWEL',
    5,
    'Survives clay',
    'I have bent every trowel I ever owned. This one went through our clay without a murmur.',
  ],
  [
    'GDN-TROWEL',
    4,
    'Solid',
    'Well made and sharp. I would have liked a brighter handle: I keep losing it in the beds.',
  ],
  [
    'GDN-HORI',
    5,
    'Should have bought it years ago',
    'Weeding, dividing hostas, opening compost bags. The sheath is a nice touch.',
  ],
  [
    'GDN-SECATEUR',
    5,
    'Clean cuts',
    'Went through thirty roses in an afternoon and my hand was fine the next day.',
  ],
  [
    'GDN-SECATEUR',
    3,
    'Spring popped out',
    'They cut beautifully, but the spring jumped into the hedge in the first week.',
    'A new one came free of charge.',
  ],
  [
    'GDN-CAN-5',
    4,
    'Looks good, pours well',
    'Nicely balanced. The rose is fine enough for lettuce seedlings.',
  ],
  [
    'GDN-CAN-IND',
    5,
    'No more puddles',
    'The spout gets right under the leaves of my fiddle-leaf fig.',
  ],
  [
    'GDN-HOSE-20',
    2,
    'Couplings leak',
    'The hose itself is supple and does not kink, but both connectors drip.',
    'I replaced them with my own.',
  ],
  [
    'GDN-PLANTER',
    5,
    'Ten minutes, honestly',
    'My daughter and I slotted it together before lunch. Smells wonderful in the sun.',
  ],
  [
    'GDN-TOMATO',
    5,
    'The ugly one is the best',
    'All five germinated and the beefsteak is the best tomato I have ever grown.',
  ],
  [
    'GDN-MEADOW',
    4,
    'Slow start, then bees everywhere',
    'Almost nothing for six weeks, then poppies, cornflowers and a constant hum.',
  ],
  [
    'GDN-GLOVES',
    5,
    'Finally gloves that fit',
    'I can tie twine with them on. One season in, no holes.',
  ],
  [
    'GDN-KNEELER',
    5,
    'My knees thank you',
    'The handles help me get up again, which is the whole point.',
  ],
  [
    'GDN-FEEDER',
    1,
    'Squirrels emptied it in an hour',
    'Pretty, but the lid simply lifts off and ours worked that out the first morning.',
  ],
  [
    'GDN-BEEHOTEL',
    4,
    'Occupied by May',
    'Hung it facing south-east as advised; eleven tubes are sealed already.',
  ],
]
