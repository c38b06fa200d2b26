export { default as modelWeb } from '../web/index.ts';
