export const hasChosenBrowser: () => boolean;
export function findBrowser(): string | undefined;
