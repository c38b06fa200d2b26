import { configure } from '@testing-library/dom';
import { patience } from '../patience.ts';
import { pretendLayout } from './pretend-layout.ts';
import { quickenStyles } from './quick-styles.ts';

configure({ asyncUtilTimeout: patience });
quickenStyles();
pretendLayout();
