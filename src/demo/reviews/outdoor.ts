import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the outdoor shelf. */
export const OUTDOOR_REVIEWS: readonly WrittenReview[] = [
  [
    'OUT-TENT-2',
    5,
    'Dry through a storm',
    'Forty-knot gusts on the coast and we slept. Pitching in rain keeps the inner dry.',
  ],
  [
    'OUT-TENT-2',
    4,
    'Light and quick',
    'Cosy for two with packs outside. The pegs are the weak point; I took better ones.',
  ],
  [
    'OUT-BAG-0',
    5,
    'Warm at freezing, as promised',
    'Frost on the tent, warm feet inside. Packs down to the size of a loaf.',
  ],
  [
    'OUT-MAT',
    2,
    'Slow leak',
    'Wonderfully comfortable until about three in the morning, when I was on the ground.',
  ],
  ['OUT-MAT', 5, 'Better than my bed', 'I sleep on my side and my hips never touched the floor.'],
  [
    'OUT-PACK-28',
    4,
    'Office and weekend',
    'Carries a laptop on Friday and a rope on Saturday. The wax does rub off on pale shirts.',
  ],
  ['OUT-STOVE', 5, 'Tiny and fierce', 'Three and a half minutes for two cups, even at altitude.'],
  [
    'OUT-FLASK-1',
    5,
    'Still too hot to drink at noon',
    'Filled at six, burned my tongue at twelve. What more can I say?',
  ],
  [
    'OUT-FLASK-1',
    4,
    'Excellent, slightly heavy',
    'Keeps its promise. I would trade an hour of heat for a hundred grams less.',
  ],
  [
    'OUT-BOTTLE',
    5,
    'Simple bottle',
    'No plastic taste and the loop is big enough for a whole hand.',
  ],
  [
    'OUT-FILTER',
    4,
    'Peace of mind',
    'Used it for nine days in the hills without trouble. Backflush it more than they say.',
  ],
  [
    'OUT-LAMP',
    5,
    'The lock is the best feature',
    'My last one was always flat when I needed it. This one never is.',
  ],
  [
    'OUT-POLES',
    3,
    'One lever loosened',
    'Comfortable grips. The lower lever needs tightening every few hours.',
  ],
  [
    'OUT-BIKELIGHT',
    5,
    'Bright and simple',
    'Goes on and comes off in a second, and drivers do keep their distance.',
  ],
  [
    'OUT-BLANKET',
    5,
    'Wet grass is no longer a problem',
    'Thick, easy to shake out, and the strap is nicely made.',
  ],
]
