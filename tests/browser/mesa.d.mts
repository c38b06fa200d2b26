export const hasMesa: boolean;
