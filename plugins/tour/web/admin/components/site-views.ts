/** Components that show a scan or a model next to a form. Bundled as one chunk. */
export { default as AlignmentView } from './alignment/alignment-view.tsx';
export { PlaceInSite } from './tags/place-in-site.tsx';
