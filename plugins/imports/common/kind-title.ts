import type { LocalizedText } from '../contract/index.ts';

/** The title of a kind in both languages, for sentences that are stored before the language of their reader is known. */
export const formatKindTitle = ({ en, fr }: LocalizedText): string => `${en} (${fr})`;
