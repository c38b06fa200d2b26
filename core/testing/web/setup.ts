import { configure } from '@testing-library/dom';
import { afterEach, expect } from 'vitest';
import { maxWaitMs } from '../max-wait.ts';
import { collectReplyProblems } from './fake-server.ts';
import { pretendLayout } from './pretend-layout.ts';
import { quickenStyles } from './quick-styles.ts';

configure({ asyncUtilTimeout: maxWaitMs });
quickenStyles();
pretendLayout();

/** Fails tests of the present file whose fake replies violate schemas, and awaits the checks before the file ends. */
export function checkFakeReplies(): void {
  afterEach(async () => {
    expect((await collectReplyProblems()).join('\n')).toBe('');
  });
}
