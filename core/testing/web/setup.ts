import { configure } from '@testing-library/dom';
import { afterEach, expect } from 'vitest';
import { patience } from '../patience.ts';
import { takeReplyProblems } from './fake-server.ts';
import { pretendLayout } from './pretend-layout.ts';
import { quickenStyles } from './quick-styles.ts';

configure({ asyncUtilTimeout: patience });
quickenStyles();
pretendLayout();

afterEach(async () => {
  expect((await takeReplyProblems()).join('\n')).toBe('');
});
