export { default as mastersWeb } from '../web/index.ts';
