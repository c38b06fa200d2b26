export { default as locationsWeb } from '../web/index.ts';
