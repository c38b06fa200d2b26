import { serverPlugin } from '#core/server';
import type manifest from '../plugin.ts';

export default serverPlugin<typeof manifest>()({});
