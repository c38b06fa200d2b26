/** By which the panoramas of a node are told apart, in UTC: the rounds of one day are one. */
export const captureDay = (instant: Date): string => instant.toISOString().slice(0, 10);
