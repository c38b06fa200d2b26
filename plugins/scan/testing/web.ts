export { default as scanWeb } from '../web/index.ts';
