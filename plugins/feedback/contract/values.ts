/** The questions of the form in the order on screen. With one dropdown, the form has only the first question. */
export const formQuestions = ['typeOfWork', 'activity'] as const;
export type FormQuestion = (typeof formQuestions)[number];

export const maxRating = 5;
