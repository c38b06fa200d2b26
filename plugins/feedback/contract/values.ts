/** What the form asks, in its order: with one dropdown only the first. */
export const formQuestions = ['typeOfWork', 'activity'] as const;
export type FormQuestion = (typeof formQuestions)[number];

/** Best. */
export const highestRating = 5;
