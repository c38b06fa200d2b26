export { default as vrWeb } from '../web/index.ts';
