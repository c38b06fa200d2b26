/** The figures of an estimation, in the order of forms and sheets. */
export const expenseFigures = ['fixedCost', 'perDiem', 'tripDays', 'tourHours'] as const;
export type ExpenseFigure = (typeof expenseFigures)[number];

export const estimationStates = ['COMPLETE', 'MISSING'] as const;

/** Sites per page at most. */
export const maxEstimationRows = 200;
