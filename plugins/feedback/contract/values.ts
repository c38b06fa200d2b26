/** The questions of the form in their order. With one dropdown, only the first is asked. */
export const formQuestions = ['typeOfWork', 'activity'] as const;
export type FormQuestion = (typeof formQuestions)[number];

/** The best rating. */
export const highestRating = 5;
